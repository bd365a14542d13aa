import type { Service } from '../compose-service.ts'
import type { Actor } from '../features/administration/actor.ts'
import { allPages } from './all-pages.ts'
import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'
import { listing } from './output.ts'
import { wordsFor } from './refusal.ts'

type Operations = Service['services']['operations']
type Item = Readonly<Record<string, unknown>>

export const mailList = listOf(
  ['ID', 'STATE', 'TO', 'LETTER', 'TRIES', 'POSTED', 'NEXT TRY'],
  async (operations, actor) =>
    (await allPages((page) => operations.call(actor, 'mails.list', page))).map((mail) => ({
      id: mail.id,
      state: mail.state,
      to: mail.to,
      letter: mail.letter,
      tries: mail.attempts,
      posted: mail.created_at,
      next_try: mail.due_at,
    })),
)

export const mailRetry = retryOf('mails.retry', { what: 'mail', list: 'mail list', verb: 'sends' })

export const webhooksList = listOf(
  ['ID', 'STATE', 'EVENT', 'RECEIVER', 'TRIES', 'HAPPENED', 'NEXT TRY'],
  async (operations, actor) =>
    (await allPages((page) => operations.call(actor, 'events.list', page))).map((event) => ({
      id: event.id,
      state: event.state,
      type: event.type,
      receiver: event.receiver,
      tries: event.attempts,
      happened: event.created_at,
      next_try: event.due_at,
    })),
)

export const webhooksRetry = retryOf('events.retry', {
  what: 'event',
  list: 'webhooks list',
  verb: 'delivers',
})

function listOf(
  header: readonly string[],
  find: (operations: Operations, actor: Actor) => Promise<readonly Item[]>,
): Command {
  return command({
    options: settingsOptions,
    run: (call) =>
      withServices(call, async ({ operations }) => {
        const items = await find(operations, operatorOf(call.io))
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
          .catch(wordsFor('not_found', `There is no undelivered ${what} "${call.argument}".`))
        call.say(`The service ${verb} ${retried} ${retried === 1 ? what : `${what}s`} now.`, {
          due: retried,
        })
      }),
  })
}
