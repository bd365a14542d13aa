import type { Service } from '../compose-service.ts'
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts'
import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'
import { listing } from './output.ts'
import { refusal } from './refusal.ts'
import { isProblem } from './user/with-user.ts'

type Services = Service['services']

const COUNT_MAX = 1000

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

export const mailRetry = retryOf('mails.retry', { what: 'mail', list: 'mail list', verb: 'sends' })

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

export const webhooksRetry = retryOf('events.retry', {
  what: 'event',
  list: 'webhooks list',
  verb: 'delivers',
})

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

function retryOf(
  operation: 'mails.retry' | 'events.retry',
  { what, list, verb }: Record<'what' | 'list' | 'verb', string>,
): Command {
  return command({
    argument: { placeholder: '<id>', doc: `an id from "${list}", or all` },
    options: settingsOptions,
    run: (call) =>
      withServices(call, async ({ operations }) => {
        const { retried } = await operations
          .call(operatorOf(call.io), operation, { id: call.argument })
          .catch((error) => {
            if (!isProblem(error, 'not_found')) throw error
            throw refusal(`There is no undelivered ${what} "${call.argument}".`)
          })
        call.say(`The service ${verb} ${retried} ${retried === 1 ? what : `${what}s`} now.`, {
          due: retried,
        })
      }),
  })
}
