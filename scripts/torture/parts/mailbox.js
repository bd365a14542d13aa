import { startSmtp } from './smtp.js'

const PATIENCE_MS = 60_000

/** A mail server that keeps everything, and hands each text of a mail out once. */
export async function startMailbox() {
  /** By address, oldest first. */
  const mails = new Map()
  const waiting = new Map()
  const counts = new Map()
  const { url, stop } = await startSmtp(keep)

  function keep(address, mail) {
    counts.set(address, (counts.get(address) ?? 0) + 1)
    mails.set(address, [...(mails.get(address) ?? []), mail])
    waiting.get(address)?.()
  }

  function take(address, pattern) {
    const kept = mails.get(address) ?? []
    const at = kept.findIndex((mail) => pattern.test(mail))
    if (at === -1) return null
    const [mail] = kept.splice(at, 1)
    return pattern.exec(mail)
  }

  return {
    url,
    stop,
    /** The next mail to this address that has such a text, as the match of its pattern. */
    async find(address, pattern) {
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        const found = take(address, pattern)
        if (found) return found
        const leftMs = until - performance.now()
        if (leftMs < 0) throw new Error(`No mail with ${pattern} came to ${address}.`)
        await untilMail(address, leftMs)
      }
    },
    /** How many came, read or not. */
    countTo: (address) => counts.get(address) ?? 0,
  }

  function untilMail(address, ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      waiting.set(address, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
