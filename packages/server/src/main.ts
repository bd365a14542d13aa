import './kernel/keep-tick-shape.ts'
import { fork } from 'node:child_process'
import { hostname } from 'node:os'
import { endWithTerminal } from './cli/lost-terminal.ts'
import { osUser } from './cli/operator.ts'
import { watchParent } from './cli/parent.ts'
import { runCli } from './cli/run.ts'

const argv = process.argv.slice(2)
const isService = argv[0] === 'serve' || argv[0] === 'test'

endWithTerminal(process)
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The terminal was closed. SIGHUP says so, too, and a command that heeds it must be able to clean up.
  if (code === 'EIO' && process.stdout.isTTY && !isService) return
  // A reader of our output may stop early, as `head` does. That is an error only if it ends a service.
  if (code === 'EPIPE' && !isService) process.exit()
  process.stderr.write(`The output cannot be written: ${message}\n`)
  process.exit(1)
})
// There is no place left to report it, and the exit code must still say what the command has done.
process.stderr.on('error', () => {})

void runCli(argv, {
  env: process.env,
  cwd: workingDirectory(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  user: osUser(),
  host: hostname(),
  onSignal(listener) {
    process.on('SIGTERM', listener)
    process.on('SIGINT', listener)
    // Sent when the terminal is closed.
    process.on('SIGHUP', listener)
  },
  onParentGone: (listener) => watchParent(process, listener),
  exit: (code) => process.exit(code),
  forkWorker: () =>
    fork(new URL('./worker.js', import.meta.url), {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    }),
}).then((code) => {
  process.exitCode = code
})

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write(
      'The working directory is gone or cannot be read. Change to another one and try again.\n',
    )
    process.exit(1)
  }
}
