import { SECOND } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { withDeadline } from '../../kernel/promises.ts'
import type { Signal } from '../../kernel/signal.ts'
import { isFrozen } from '../../storage/faults.ts'
import type { Stopping } from './deliver-due.ts'

type Needs = {
  /** What is delivered, as the log calls it: "mails". */
  what: string
  deliverDue(stopping: Stopping): Promise<void>
  /** Fires when something was posted. */
  posted: Signal
  log: Log
  /** Called after the last round. */
  onStop?: () => void
}

/** Picks up retries, and what a dead instance has left behind. */
const LOOK_EVERY = 5 * SECOND
/** By then the answer is sent. Otherwise its duration would reveal whether something was posted. */
const WAKE_AFTER = 0.1 * SECOND
/**
 * How long deliveries in progress may take when the service stops. The rest is sent again later.
 */
const FAREWELL = 3 * SECOND
/** How long the database may take to write down which deliveries were given up. */
const WRITE_DOWN = SECOND

/** Delivers in the background, soon after the commit. */
export function createDeliveryWorker({ what, deliverDue, posted, log, onStop }: Needs) {
  let isStopping = false
  const givingUp = new AbortController()
  let round: Promise<void> | null = null
  let isRoundDue = false
  let stopListening = () => {}
  let interval: NodeJS.Timeout | undefined
  let alarm: NodeJS.Timeout | undefined

  /** Only one round runs at a time. Anything posted during a round starts another. */
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
        await deliverDue({ isStopping: () => isStopping, givenUp: givingUp.signal })
      } catch (error) {
        // After the stop, the database may be closed, and nothing is tried again here.
        if (isFrozen(error) || givingUp.signal.aborted) continue
        log.warn({ err: error }, `cannot read waiting ${what} from the database; will try again`)
      }
    }
  }

  return {
    start(): void {
      stopListening = posted.listen(wakeSoon)
      interval = setInterval(wake, LOOK_EVERY).unref()
      wake()
    },

    async stop(): Promise<void> {
      isStopping = true
      stopListening()
      clearInterval(interval)
      clearTimeout(alarm)
      const ended = round ?? Promise.resolve()
      await withDeadline(ended, FAREWELL).catch(() => {})
      givingUp.abort(new Error('The service stops.'))
      // Otherwise what was given up could be tried again only when its claim has expired.
      await withDeadline(ended, WRITE_DOWN).catch(() => {})
      onStop?.()
    },
  }
}
