import { setTimeout } from 'node:timers/promises'
import { startSmtp } from './smtp.js'

const LETTER_MS = 20_000

/** A mail server that keeps the last letter to every address. */
export async function startMailServer() {
  const letters = new Map()
  const { port, url, stop } = await startSmtp((address, letter) => letters.set(address, letter))
  return {
    letters,
    port,
    stop,
    settings: { EMAIL_URL: url },
    /** Finds a text in a letter to this address. Waits for it, but returns undefined as soon as `isOver`. */
    async find(address, pattern, isOver = () => false) {
      for (const until = performance.now() + LETTER_MS; performance.now() < until && !isOver(); ) {
        const found = pattern.exec(letters.get(address) ?? '')
        if (found) return found[1]
        await setTimeout(10)
      }
      return undefined
    },
  }
}
