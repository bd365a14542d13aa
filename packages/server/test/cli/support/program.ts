import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { newDatabaseFolder } from '../../support/database-folder.ts'

export const PROGRAM = fileURLToPath(new URL('../../../bin/latchkey.js', import.meta.url))

type Environment = Record<string, string>

/** Runs the installed program until it ends or the test ends. */
export function startProgram(
  cwd: string,
  args: readonly string[],
  env: Environment = {},
  program = PROGRAM,
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

export async function runProgram(
  cwd: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Environment } = {},
) {
  const { child, ended } = startProgram(cwd, args, env)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

/** A folder in which nothing is configured, and the program in it. */
export async function newFolder() {
  const cwd = await newDatabaseFolder('program')
  return {
    cwd,
    start: (args: readonly string[], env?: Environment) => startProgram(cwd, args, env),
    run: (args: readonly string[], outside?: { input?: string }) => runProgram(cwd, args, outside),
  }
}

export async function printedAddress(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += chunk
    const url = /serves (http\S+)\n/.exec(output)?.[1]
    if (url) {
      // From now on nobody reads the output, and the program must not wait for a reader.
      child.stdout?.resume()
      return url
    }
  }
  throw new Error(`The program ended without an address:\n${output}`)
}
