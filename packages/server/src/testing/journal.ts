import { createSignal } from '../kernel/signal.ts'
import { TestRefusal } from './refusal.ts'

/** What is kept. Older entries are dropped. */
const KEPT_MAX = 2000

export type Question<T> = {
  matches(entry: T): boolean
  /** Only entries after the one with this id. */
  after: string | undefined
  /** How long to wait until there is one. */
  waitMs: number
  /** Aborts when nobody waits any more. */
  gone: AbortSignal
}

export type Journal<T extends { readonly id: string }> = ReturnType<typeof createJournal<T>>

/** What has happened, oldest first. Readers can wait for what happens next. */
export function createJournal<T extends { readonly id: string }>(what: string) {
  let entries: readonly T[] = []
  const added = createSignal()

  function find({ matches, after }: Question<T>): readonly T[] {
    const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1
    if (after !== undefined && start === 0) {
      throw new TestRefusal(`after: there is no ${what} with this id.`)
    }
    return entries.slice(start).filter(matches)
  }

  return {
    add(entry: T): void {
      entries = [...entries.slice(1 - KEPT_MAX), entry]
      added.notify()
    },

    /** All that match, at once or as soon as there is one. None when the time is up. */
    async ask(question: Question<T>): Promise<readonly T[]> {
      const found = find(question)
      if (found.length > 0 || question.waitMs === 0) return found
      const { waitMs, gone } = question
      return new Promise((resolve, reject) => {
        const end = (give: () => void) => {
          clearTimeout(timer)
          stopListening()
          gone.removeEventListener('abort', giveUp)
          give()
        }
        const giveUp = () => end(() => resolve([]))
        const timer = setTimeout(giveUp, waitMs)
        gone.addEventListener('abort', giveUp)
        const stopListening = added.listen(() => {
          try {
            const now = find(question)
            if (now.length > 0) end(() => resolve(now))
          } catch (error) {
            end(() => reject(error))
          }
        })
      })
    },

    state: () => entries,
    restore(earlier: readonly T[] = []): void {
      entries = earlier
    },
  }
}
