import { setTimeout } from 'node:timers/promises'
import { startSmtp } from './smtp.js'

const PATIENCE_MS = 60_000

/** A mail server that keeps everything, and hands each mail out once. */
export async function startMailbox() {
  /** By address, oldest first. */
  const mails = new Map()
  /** How many came to each address, read or not. */
  const counts = new Map()
  const { port, url, stop } = await startSmtp((address, mail) => {
    counts.set(address, (counts.get(address) ?? 0) + 1)
    mails.set(address, [...(mails.get(address) ?? []), mail])
  })

  function take(address, pattern) {
    const kept = mails.get(address) ?? []
    const at = kept.findIndex((mail) => pattern.test(mail))
    return at === -1 ? null : pattern.exec(kept.splice(at, 1)[0])
  }

  return {
    port,
    url,
    stop,
    counts,
    /**
     * Waits for a mail to this address that has such a text, and returns the match of its pattern. Returns null as soon
     * as `isOver`.
     */
    async find(address, pattern, isOver = () => false) {
      for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
        const found = take(address, pattern)
        if (found) return found
        if (isOver()) return null
        await setTimeout(10)
      }
      throw new Error(`No mail with ${pattern} came to ${address}.`)
    },
  }
}
