import type { AccountEvent, AfterHooks } from '../core/hooks.ts'
import { EVENT_KINDS } from '../kernel/event-kinds.ts'
import { createJournal } from './journal.ts'

export type EventLog = ReturnType<typeof createEventLog>

/** Hears every event of a space as a hook of a host would. */
export function createEventLog() {
  const events = createJournal<AccountEvent>('event')
  const hear = (event: AccountEvent): void => events.add(event)
  const hooks: AfterHooks = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, hear]))
  return { events, hooks }
}
