import './kernel/keep-tick-shape.ts'
import { serveAsWorker } from './cli/serve/serve-as-worker.ts'

// The supervisor, which reads the output, may be gone.
process.stdout.on('error', () => {})

serveAsWorker(process)
