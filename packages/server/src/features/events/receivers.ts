import type { Outcome } from '../../core/delivery/deliver-due.ts'
import type { AccountEvent, AfterHooks } from '../../core/hooks.ts'
import { digest } from '../../crypto/digests.ts'
import { signWebhook } from '../../crypto/webhook-signature.ts'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import { EVENT_KINDS, type EventKind } from '../../kernel/event-kinds.ts'
import { errorOf, messageOf } from '../../kernel/log.ts'
import { guardedLookup } from '../../outbound/addresses.ts'
import { requestStatus } from '../../outbound/request.ts'
import { WEBHOOK_SECRET_PREFIX, type Webhook } from '../../settings/kinds/webhooks.ts'

/** Who is told of events. */
export type Receiver = {
  /** Its name in the database. */
  readonly name: string
  /** Its name for operators. */
  readonly shownAs: string
  readonly kinds: ReadonlySet<EventKind>
  /** How long one event may take. */
  readonly deadlineMs: number
  /** Throws if the receiver was not reached. */
  tell(event: AccountEvent): Promise<Outcome>
}

const HOOK_DEADLINE = 5 * SECOND
const WEBHOOK_TIMEOUT = 15 * SECOND
/** A little longer than the timeout, so that the error of the call is logged. */
const WEBHOOK_DEADLINE = WEBHOOK_TIMEOUT + SECOND
/** No receiver has a longer one. */
export const LONGEST_DEADLINE = Math.max(HOOK_DEADLINE, WEBHOOK_DEADLINE)

/** The name of the hooks, in the database and for operators. */
export const HOOKS = 'hooks'

/** The functions of the host that take events: one receiver, or none if there is no function. */
export function hooksReceivers(hooks: AfterHooks): Receiver[] {
  const kinds = EVENT_KINDS.filter((kind) => hooks[kind] !== undefined)
  if (kinds.length === 0) return []
  // Each function takes the type of its event. The compiler cannot see that.
  const listeners = hooks as Partial<Record<string, (event: AccountEvent) => unknown>>
  return [
    {
      name: HOOKS,
      shownAs: HOOKS,
      kinds: new Set(kinds),
      deadlineMs: HOOK_DEADLINE,
      async tell(event) {
        try {
          // An older version of the host may have had more functions, which nobody has any more.
          await listeners[event.type]?.(event)
          return { status: 'sent' }
        } catch (error) {
          return { status: 'refused', reason: messageOf(error), error: errorOf(error) }
        }
      },
    },
  ]
}

const GONE = 410
/** A server, or its proxy, answers these while it takes nothing at all. */
const TAKES_NOTHING: readonly number[] = [429, 502, 503, 504]

/** Calls another program over HTTP, as Standard Webhooks describes it. */
export function webhookReceiver(webhook: Webhook, shownAs: string, clock: Clock): Receiver {
  const { url, events, secret, allow_private_network } = webhook
  const keys = secret.map((one) => Buffer.from(one.slice(WEBHOOK_SECRET_PREFIX.length), 'base64'))
  const bounds = { lookup: guardedLookup(allow_private_network), timeoutMs: WEBHOOK_TIMEOUT }

  return {
    // Only a digest is stored, since the URL may contain a secret.
    name: `webhook:${digest(url).slice(0, 32)}`,
    shownAs,
    kinds: new Set(events),
    deadlineMs: WEBHOOK_DEADLINE,
    async tell(event) {
      const { id } = event
      const body = JSON.stringify(event)
      // The time of this try, not of the event: receivers refuse old messages.
      const timestamp = Math.floor(clock.now() / SECOND)
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook({ id, timestamp, body }, keys),
      }
      return outcomeOf(await requestStatus({ method: 'POST', url, headers, body }, bounds))
    },
  }
}

/** Redirects are not followed, since the settings do not name their targets. */
function outcomeOf(status: number): Outcome {
  const reason = `status ${status}`
  if (status >= 200 && status < 300) return { status: 'sent' }
  if (status === GONE) return { status: 'hopeless', reason }
  return { status: TAKES_NOTHING.includes(status) ? 'unreachable' : 'refused', reason }
}
