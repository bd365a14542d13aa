import { isatty } from 'node:tty'

const STANDARD = [0, 1, 2]

/**
 * If the terminal was closed, Node aborts when it exits: it cannot reset the terminal. The memory with our
 * secrets would be dumped to the disk. So the process ends itself by the signal that tells of the loss.
 */
export function endWithTerminal(process: NodeJS.Process): void {
  const terminals = STANDARD.filter((fd) => isatty(fd))
  process.on('exit', () => {
    if (terminals.every((fd) => isatty(fd))) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}
