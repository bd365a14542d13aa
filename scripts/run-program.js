import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs a program to its end. */
export async function run(program, args, { input = '', ...options } = {}) {
  const child = spawn(program, args, { ...options, stdio: 'pipe' })
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

/** Ends a program, which may have ended already. */
export async function end(child, signal = 'SIGKILL') {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
