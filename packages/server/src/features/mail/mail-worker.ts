import { SECOND } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import type { Log } from '../../kernel/log.ts'
import type { Signal } from '../../kernel/signal.ts'
import type { MailTransport } from '../../mailer/transport.ts'
import type { Delivery } from './delivery.ts'

type Needs = { delivery: Delivery; transport: MailTransport; posted: Signal; log: Log }

/** Finds retries, and mails that a dead instance has left behind. */
const LOOK_EVERY = 5 * SECOND
/** By then the answer is sent. Otherwise its time would tell whether there was a mail. */
const WAKE_AFTER = 0.1 * SECOND
/** When the service stops, a mail under way has this long. Otherwise it is sent again later. */
const FAREWELL = 3 * SECOND

/** Sends mails in the background, soon after they are committed. */
export function createMailWorker({ delivery, transport, posted, log }: Needs) {
  let isStopping = false
  let round: Promise<void> | null = null
  let isRoundDue = false
  let stopListening = () => {}
  let interval: NodeJS.Timeout | undefined
  let alarm: NodeJS.Timeout | undefined

  /** Only one round runs at a time. Mails that are posted meanwhile cause another round. */
  function wake(): void {
    isRoundDue = true
    round ??= work().finally(() => {
      round = null
    })
  }

  function wakeSoon(): void {
    alarm ??= setTimeout(() => {
      alarm = undefined
      wake()
    }, WAKE_AFTER)
  }

  async function work(): Promise<void> {
    while (isRoundDue && !isStopping) {
      isRoundDue = false
      try {
        await delivery.deliverDue(() => isStopping)
      } catch (error) {
        log.warn({ err: error }, 'cannot read waiting mails from the database; will try again')
      }
    }
  }

  return {
    start(): void {
      stopListening = posted.listen(wakeSoon)
      interval = setInterval(wake, LOOK_EVERY)
      interval.unref()
      wake()
    },

    async stop(): Promise<void> {
      isStopping = true
      stopListening()
      clearInterval(interval)
      clearTimeout(alarm)
      if (round) await withDeadline(round, FAREWELL).catch(() => {})
      transport.close()
    },
  }
}
