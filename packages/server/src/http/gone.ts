import type { FastifyReply } from 'fastify'

/** Aborts if the client disconnects before it has its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const tell = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) tell()
  else raw.once('close', tell)
  return controller.signal
}
