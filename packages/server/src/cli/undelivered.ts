import type { Service } from '../compose-service.ts'
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts'
import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { listing } from './output.ts'
import { refusal } from './refusal.ts'

type Services = Service['services']

const COUNT_MAX = 1000
const ALL = 'all'

export const mailList = listOf(
  ['ID', 'STATE', 'TO', 'LETTER', 'TRIES', 'POSTED', 'NEXT TRY'],
  async ({ delivery }) =>
    (await delivery.listUndelivered(COUNT_MAX)).map((mail) => ({
      id: mail.id,
      state: mail.state,
      to: mail.to,
      letter: mail.template,
      tries: mail.attempts,
      posted: isoTime(mail.postedAt),
      next_try: mail.state === 'dead' ? null : isoTime(mail.dueAt),
    })),
)

export const mailRetry = retryOf('mail', 'mail list', 'sends', ({ delivery }) => delivery)

export const webhooksList = listOf(
  ['ID', 'STATE', 'EVENT', 'RECEIVER', 'TRIES', 'HAPPENED', 'NEXT TRY'],
  async ({ deliveries }) =>
    (await deliveries.listUndelivered(COUNT_MAX)).map((event) => ({
      id: event.id,
      state: event.state,
      type: event.type,
      receiver: event.receiver,
      tries: event.attempts,
      happened: isoTime(event.notedAt),
      next_try: isoTimeOrNull(event.dueAt),
    })),
)

export const webhooksRetry = retryOf(
  'event',
  'webhooks list',
  'delivers',
  ({ deliveries }) => deliveries,
)

function listOf(
  header: readonly string[],
  find: (services: Services) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Command {
  return command({
    options: settingsOptions,
    run: (call) =>
      withServices(call, async (services) => {
        const items = await find(services)
        const rows = items.map((item) => Object.values(item).map((value) => String(value ?? '-')))
        call.say(listing(header, rows), items)
      }),
  })
}

type Queue = { retry(id: string | null): Promise<number> }

function retryOf(
  what: string,
  list: string,
  verb: string,
  queueIn: (services: Services) => Queue,
): Command {
  return command({
    argument: { placeholder: '<id>', doc: `an id from "${list}", or ${ALL}` },
    options: settingsOptions,
    run: (call) =>
      withServices(call, async (services) => {
        const id = call.argument === ALL ? null : call.argument
        const count = await queueIn(services).retry(id)
        if (id !== null && count === 0) throw refusal(`There is no undelivered ${what} "${id}".`)
        call.say(`The service ${verb} ${count} ${count === 1 ? what : `${what}s`} now.`, {
          due: count,
        })
      }),
  })
}
