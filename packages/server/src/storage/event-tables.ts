import type { Generated } from 'kysely'
import type { EventKind } from '../kernel/event-kinds.ts'

/* What hooks and webhooks are still to be told. The first two tables have no foreign key to the user: the
 * event of a deletion outlives the account. */

export type EventTables = {
  /** One event for one receiver. The row is deleted when the receiver has it. */
  events: {
    id: Generated<number>
    /** Counts the events of a line, in the order in which they happened. */
    number: number
    /** The id that receivers see. It is the same for all receivers of an event. */
    event_id: string
    receiver: string
    user_id: number
    kind: EventKind
    /** JSON. It is sealed, since it says who the user is. */
    sealed_event: string
    state: 'queued' | 'dead'
    attempts: number
    created_at: number
  }

  /**
   * A receiver gets the events of one user one after another, so they wait in a line. A worker claims the
   * line, not the event.
   */
  event_lines: {
    receiver: string
    user_id: number
    due_at: number
    /** Random, chosen by the worker that delivers from the line. Null if there is none. */
    claim: string | null
    /** The number of the newest event. */
    last_number: Generated<number>
  }

  /**
   * The kinds of events that the hooks of a host take. Commands, and instances with other hooks, read here
   * which events to queue.
   */
  event_listeners: {
    receiver: string
    /** Kinds of events, with commas. */
    kinds: string
  }
}
