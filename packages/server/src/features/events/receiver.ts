import type { Outcome } from '../../core/delivery/deliver-due.ts'
import type { AccountEvent } from '../../core/events.ts'
import type { EventKind } from '../../kernel/event-kinds.ts'

/** Who is told of events. */
export type Receiver = {
  /** Its name in the database. */
  readonly name: string
  /** Its name for operators. */
  readonly shownAs: string
  readonly kinds: ReadonlySet<EventKind>
  /** How long it may take over one event. */
  readonly deadlineMs: number
  /** Tells it. If it throws, nobody was reached. */
  tell(event: AccountEvent): Promise<Outcome>
}
