import type { AccountEvent, AfterHooks } from '../../core/events.ts'
import { SECOND } from '../../kernel/clock.ts'
import { EVENT_KINDS } from '../../kernel/event-kinds.ts'
import { errorOf, messageOf } from '../../kernel/thrown.ts'
import type { Receiver } from './receiver.ts'

/** Their name, in the database and for operators. */
export const HOOKS = 'hooks'

/** The functions of the host that want to know of events. There is none if it has no such function. */
export function hooksReceivers(hooks: AfterHooks): Receiver[] {
  const kinds = EVENT_KINDS.filter((kind) => hooks[kind] !== undefined)
  if (kinds.length === 0) return []
  // The type of each event is the one that its function takes. The compiler cannot see that.
  const listeners = hooks as Partial<Record<string, (event: AccountEvent) => unknown>>
  return [
    {
      name: HOOKS,
      shownAs: HOOKS,
      kinds: new Set(kinds),
      deadlineMs: 5 * SECOND,
      async tell(event) {
        try {
          // An older program may have had more functions. What waits for those has no receiver.
          await listeners[event.type]?.(event)
          return { status: 'sent' }
        } catch (error) {
          return { status: 'refused', reason: messageOf(error), error: errorOf(error) }
        }
      },
    },
  ]
}
