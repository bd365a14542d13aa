import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

const START_MS = 60_000

/** Runs a program to its end. */
export async function run(program, args, { input = '', ...options } = {}) {
  const child = spawn(program, args, { stdio: 'pipe', timeout: 120_000, ...options })
  // A program that refuses at once does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** Starts a service, and waits until it answers there. */
export async function start(program, args, { url, ...options }) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
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
