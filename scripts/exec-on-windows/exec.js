#!/usr/bin/env node
// `npm start` is `exec latchkey serve`. On Unix `exec` replaces npm's shell, so that a signal to npm
// reaches the service, and npm waits for it and ends with its exit code. The shell of Windows has no
// `exec`, and finds this program instead.
process.argv.splice(2, 1)
await import('../../packages/server/bin/latchkey.js')
