import './kernel/keep-tick-shape.ts'
import { fork } from 'node:child_process'
import { hostname } from 'node:os'
import { osUser } from './cli/operator.ts'
import { watchParent } from './cli/parent.ts'
import { runCli } from './cli/run.ts'

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader of our output may stop early, as `head` does. That is not an error.
  if (code === 'EPIPE') process.exit()
  process.stderr.write(`The output cannot be written: ${message}\n`)
  process.exit(1)
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  user: osUser(),
  host: hostname(),
  onSignal(listener) {
    process.on('SIGTERM', listener)
    process.on('SIGINT', listener)
  },
  onParentGone: (listener) => watchParent(process, listener),
  exit: (code) => process.exit(code),
  forkWorker: () =>
    fork(new URL('./worker.js', import.meta.url), {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    }),
})
