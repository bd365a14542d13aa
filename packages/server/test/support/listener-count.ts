import { setImmediate as turn } from 'node:timers/promises'

/** How many listeners keep this process alive. */
export async function listenerCount(): Promise<number> {
  // A closed one is gone after a turn of the event loop.
  await turn()
  return process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length
}
