// What `npm start` runs: `latchkey serve`, with the arguments that follow. npm starts it by way of a
// shell and passes signals on to that shell only. Not every shell passes them further, and `exec`,
// which would replace the shell, does not exist on Windows. So the end of the shell counts as a signal.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 100)
watch.unref()

process.argv.splice(2, 0, 'serve')
await import('../packages/server/bin/latchkey.js')
