import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { runCli } from '../../src/cli/run.ts'
import type { StartedAuth } from './start-auth.ts'

/** What an operator sees who runs a command beside a service that is up. */
export async function runCommand({ settings }: StartedAuth, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const exitCode = await runCli(args, {
    env: {
      DATABASE_URL: settings.DATABASE_URL,
      SECRET_KEY: settings.SECRET_KEY ?? '',
      LOG_LEVEL: 'silent',
    },
    cwd: tmpdir(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    onSignal: () => {},
    exit: () => {},
  })
  return { exitCode, stdout: textIn(stdout), stderr: textIn(stderr) }
}

const textIn = (stream: PassThrough): string => String(stream.read() ?? '')
