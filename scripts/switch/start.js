import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { end } from '../run-program.js'

const START_MS = 60_000

/** Starts a service, and waits until it answers there. */
export async function start(program, args, { url, ...options }) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  const stop = () => end(child, 'SIGTERM')
  for (const until = performance.now() + START_MS; performance.now() < until; ) {
    if (await answers(url)) return stop
    if (child.exitCode !== null) break
    await setTimeout(100)
  }
  await stop()
  throw new Error(`${program} ${args.join(' ')} does not serve ${url}.`)
}

const answers = (url) =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (reply) => {
      await reply.body?.cancel()
      return true
    },
    () => false,
  )
