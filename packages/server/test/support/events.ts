import type { AccountEvent, AfterHooks } from '../../src/core/hooks.ts'
import { EVENT_KINDS } from '../../src/kernel/event-kinds.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import { transaction } from '../../src/storage/transaction.ts'
import { type StartedAuth, startAuth } from './start-auth.ts'

type Settings = Parameters<typeof startAuth>[0]
type Options = NonNullable<Parameters<typeof startAuth>[1]>

/** Hooks for all kinds of events. */
export const hooksFor = (hear: (event: AccountEvent) => unknown): AfterHooks =>
  Object.fromEntries(EVENT_KINDS.map((kind) => [kind, hear]))

/** Delivers what is due, to every receiver. */
export async function deliver({ auth }: Pick<StartedAuth, 'auth'>): Promise<void> {
  await Promise.all(auth.services.deliveries.rounds.map((round) => round()))
}

/** As an operator does. Null means every event. */
export const retry = (
  { auth }: Pick<StartedAuth, 'auth'>,
  id: string | null = null,
): Promise<number> =>
  transaction(handleOf<Db>(auth.connection.db), (tx) => auth.services.deliveries.retry(id, tx))

/** A service whose host listens to everything. Its worker does not run: `told` delivers. */
export async function startListening(settings: Settings = {}, options: Options = {}) {
  const heard: AccountEvent[] = []
  const hear = (event: AccountEvent) => void heard.push(event)
  const started = await startAuth(settings, { ...options, hooks: hooksFor(hear) })
  return {
    ...started,
    heard,
    /** Delivers what is due, and returns what the hooks were told since the last time. */
    async told(): Promise<AccountEvent[]> {
      await deliver(started)
      return heard.splice(0)
    },
  }
}

/** What happened, in few words. */
export const inShort = (events: readonly AccountEvent[]) =>
  events.map(({ id: _id, timestamp: _timestamp, user, ...event }) => ({
    ...event,
    user: user.username,
  }))

/** A hook that holds on to some events until it is told to let go. */
export function holding(isHeld: (event: AccountEvent) => boolean) {
  const begun: AccountEvent[] = []
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let noteHeld = () => {}
  const held = new Promise<void>((resolve) => {
    noteHeld = resolve
  })
  return {
    /** The events that were begun, in order. */
    begun,
    /** Resolves when the hook holds one. */
    held,
    letGo: () => letGo(),
    async hear(event: AccountEvent): Promise<void> {
      begun.push(event)
      if (!isHeld(event)) return
      noteHeld()
      await released
    },
  }
}
