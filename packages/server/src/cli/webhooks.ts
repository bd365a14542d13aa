import type { UndeliveredEvent } from '../features/events/deliveries.ts'
import { isoTime } from '../kernel/clock.ts'
import { command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { table } from './output.ts'
import { refusal } from './refusal.ts'
import { withServices } from './user/with-accounts.ts'

const COUNT_MAX = 1000
const HEADER = ['ID', 'STATE', 'EVENT', 'RECEIVER', 'TRIES', 'HAPPENED', 'NEXT TRY']

export const webhooksList = command({
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ deliveries }) => {
      const events = (await deliveries.listUndelivered(COUNT_MAX)).map(eventJson)
      const rows = events.map((event) => Object.values(event).map((value) => String(value ?? '-')))
      call.say(table([HEADER, ...rows]).trimEnd(), events)
    }),
})

const eventJson = ({ id, state, type, receiver, attempts, notedAt, dueAt }: UndeliveredEvent) => ({
  id,
  state,
  type,
  receiver,
  tries: attempts,
  happened: isoTime(notedAt),
  next_try: dueAt === null ? null : isoTime(dueAt),
})

const ALL = 'all'

export const webhooksRetry = command({
  argument: { placeholder: '<id>', doc: 'an id from "webhooks list", or all' },
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ deliveries }) => {
      const id = call.argument === ALL ? null : call.argument
      const count = await deliveries.retry(id)
      if (id !== null && count === 0) throw refusal(`There is no undelivered event "${id}".`)
      call.say(`The service delivers ${count} ${count === 1 ? 'event' : 'events'} now.`, {
        due: count,
      })
    }),
})
