import type { Command } from './command.ts'
import { listing } from './output.ts'
import { wordsFor } from './refusal.ts'
import { allPages, type Operations, operationCommand } from './with-operations.ts'

type Item = Readonly<Record<string, unknown>>

export const mailList = listOf(
  ['ID', 'STATE', 'TO', 'LETTER', 'TRIES', 'POSTED', 'NEXT TRY'],
  async ({ run }) =>
    (await allPages((page) => run('mails.list', null, page))).map((mail) => ({
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
  async ({ run }) =>
    (await allPages((page) => run('events.list', null, page))).map((event) => ({
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
  find: (operations: Operations) => Promise<readonly Item[]>,
): Command {
  return operationCommand({}, async (call, operations) => {
    const items = await find(operations)
    const rows = items.map((item) => Object.values(item).map((value) => String(value ?? '-')))
    call.say(listing(header, rows), items)
  })
}

function retryOf(
  operation: 'mails.retry' | 'events.retry',
  { what, list, verb }: Record<'what' | 'list' | 'verb', string>,
): Command {
  const argument = { placeholder: '<id>', doc: `an id from "${list}", or all` }
  return operationCommand({ argument }, async (call, { run }) => {
    const unknown = `There is no undelivered ${what} "${call.argument}".`
    const { retried } = await run(operation, null, { id: call.argument }).catch(
      wordsFor('not_found', unknown),
    )
    const words = retried === 1 ? what : `${what}s`
    call.say(`The service ${verb} ${retried} ${words} now.`, { due: retried })
  })
}
