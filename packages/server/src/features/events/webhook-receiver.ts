import type { Outcome } from '../../core/delivery/deliver-due.ts'
import { digest } from '../../crypto/digest.ts'
import { signWebhook } from '../../crypto/webhook-signature.ts'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import { guardedLookup } from '../../outbound/addresses.ts'
import { requestStatus } from '../../outbound/request.ts'
import { WEBHOOK_SECRET_PREFIX, type Webhook } from '../../settings/kinds/webhooks.ts'
import type { Receiver } from './receiver.ts'

const TIMEOUT = 15 * SECOND
/** A little more than the call may take, so that its own error is logged. */
const DEADLINE = TIMEOUT + SECOND

const GONE = 410
/** What a server, or a proxy in front of it, answers while it takes nothing at all. */
const TAKES_NOTHING: readonly number[] = [429, 502, 503, 504]

/** Another program that is told over HTTP, as Standard Webhooks describes it. */
export function webhookReceiver(webhook: Webhook, shownAs: string, clock: Clock): Receiver {
  const { url, events, secret, allow_private_network } = webhook
  const keys = secret.map((one) => Buffer.from(one.slice(WEBHOOK_SECRET_PREFIX.length), 'base64'))
  const bounds = { lookup: guardedLookup(allow_private_network), timeoutMs: TIMEOUT }

  return {
    // The URL itself may hold a key of the receiver. So only its digest is stored.
    name: `webhook:${digest(url).slice(0, 32)}`,
    shownAs,
    kinds: new Set(events),
    deadlineMs: DEADLINE,
    async tell(event) {
      const { id } = event
      const body = JSON.stringify(event)
      // The time of this try: receivers refuse old messages, so that nobody can send them again.
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

/** A redirect is not followed, since the settings do not name the place that it leads to. */
function outcomeOf(status: number): Outcome {
  const reason = `status ${status}`
  if (status >= 200 && status < 300) return { status: 'sent' }
  if (status === GONE) return { status: 'hopeless', reason }
  return { status: TAKES_NOTHING.includes(status) ? 'unreachable' : 'refused', reason }
}
