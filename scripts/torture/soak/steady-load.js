import { setTimeout } from 'node:timers/promises'
import { TURNS } from './stories.js'

const TICK_MS = 20
/** A service that cannot keep up gets no more than this at once. */
const STORIES_MAX = 10

/** Stories in turn, so many that together they send `rate` requests a second, whatever the answers take. */
export function startSteadyLoad(world, rate) {
  const pending = new Set()
  const unexpected = []
  const startedAt = performance.now()
  let [told, due, sent, isOver] = [0, 0, 0, false]

  async function tell({ play, requests }, n) {
    try {
      await play(world, n)
    } catch ({ message }) {
      unexpected.push(message)
    }
    sent += requests
  }

  async function drive() {
    while (!isOver) {
      const wanted = ((performance.now() - startedAt) / 1000) * rate
      while (due < wanted && pending.size < STORIES_MAX) {
        const story = TURNS[told % TURNS.length]
        const telling = tell(story, told).finally(() => pending.delete(telling))
        pending.add(telling)
        told += 1
        due += story.requests
      }
      await setTimeout(TICK_MS)
    }
  }

  const driving = drive()
  return {
    sent: () => sent,
    async stop() {
      isOver = true
      await driving
      await Promise.all(pending)
      const seconds = (performance.now() - startedAt) / 1000
      return { sent, perSecond: Math.round(sent / seconds), unexpected }
    },
  }
}
