import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../settings/settings.ts'
import { firstLine } from '../explain.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** Listens and returns the port. With 0 the system chooses a free one. */
export async function listen(app: FastifyInstance, settings: Settings): Promise<number> {
  const { HOST: host, PORT: port } = settings
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenRefusal(settings, error)
  }
  const [bound] = app.addresses()
  return typeof bound === 'object' ? bound.port : port
}

function listenRefusal({ HOST, PORT }: Settings, error: unknown): Refusal {
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return refusal(`Port ${PORT} on ${HOST} is taken; --set PORT=<number> chooses another.`)
    case 'EACCES':
      return refusal(
        `Port ${PORT} on ${HOST} is not permitted; --set PORT=<number> chooses another, from 1024 up.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return refusal(`HOST ${HOST} is not an address of this machine.`)
    default:
      return refusal(`Listening on ${HOST} port ${PORT} failed: ${firstLine(error)}`)
  }
}
