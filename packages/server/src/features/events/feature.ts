import { createDeliveryWorker } from '../../core/delivery/delivery-worker.ts'
import { createSignal } from '../../kernel/signal.ts'
import { shownUrls } from '../../settings/kinds/webhooks.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToUsers } from '../users/feature.ts'
import { createDeliveries, deliveriesEntry, KEEP_FOR } from './deliveries.ts'
import { createEvents, eventOwner } from './events.ts'
import { hooksReceivers, webhookReceiver } from './receivers.ts'

const expiring = {
  table: 'events',
  key: 'id',
  time: 'created_at',
  keepFor: KEEP_FOR,
} as const

/** What happens to accounts, for hooks and webhooks. */
export const eventsFeature = feature((house: UpToUsers) => {
  const { db, settings, clock, log, hooks, sendsMail } = house
  const noted = createSignal()
  const shown = shownUrls(settings.WEBHOOKS)
  // Sorted, so that all transactions lock their lines in the same order.
  const receivers = [
    ...hooksReceivers(hooks),
    ...settings.WEBHOOKS.map((webhook, n) => webhookReceiver(webhook, shown[n] ?? '', clock)),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  const needs = { ...house, receivers, onEvent: noted.notify }
  const events = createEvents(needs)
  const deliveries = createDeliveries({ ...needs, events })
  let announced = Promise.resolve()
  const workers = deliveries.rounds.map((deliverDue) =>
    createDeliveryWorker({ what: 'events', deliverDue, posted: noted, log }),
  )
  return {
    offers: { events, deliveries },
    keeps: {
      dossier: [deliveriesEntry(db)],
      erase: (user, tx) => events.forgetUser(user.id, tx),
    },
    sealed: [
      {
        table: 'events',
        keys: ['event_id', 'receiver'],
        column: 'sealed_event',
        ownerOf: eventOwner,
      },
    ],
    ...(sendsMail && {
      worker: {
        start() {
          announced = deliveries.announceHooks()
          for (const worker of workers) worker.start()
        },
        async stop() {
          await Promise.all([announced, ...workers.map((worker) => worker.stop())])
        },
      },
    }),
    sweeps: [
      { ...expiring, where: { column: 'state', is: 'dead' } },
      { ...expiring, where: { column: 'state', is: 'queued' } },
      { table: 'event_listeners', forget: deliveries.forgetListeners },
      { table: 'event_lines', forget: deliveries.forgetEmptyLines },
    ],
  }
})

export type UpToEvents = UpToUsers & Offers<typeof eventsFeature>
