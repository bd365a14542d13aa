import './kernel/keep-tick-shape.ts'
import { endWithTerminal } from './cli/lost-terminal.ts'
import { serveAsWorker } from './cli/serve/serve-as-worker.ts'

endWithTerminal(process)
// The supervisor, which reads the output, may be gone.
process.stdout.on('error', () => {})

serveAsWorker(process)
