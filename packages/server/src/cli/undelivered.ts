import type { Command } from './command.ts'
import { listCommand } from './list-command.ts'
import { wordsFor } from './refusal.ts'
import { changeCommand } from './with-operations.ts'

export const mailList = listCommand('mails.list', {
  item: ({ attempts, created_at, due_at, ...mail }) => ({
    ...mail,
    tries: attempts,
    posted: created_at,
    next_try: due_at,
  }),
  columns: {
    ID: ({ id }) => id,
    STATE: ({ state }) => state,
    TO: ({ to }) => to,
    LETTER: ({ letter }) => letter,
    TRIES: ({ tries }) => tries,
    POSTED: ({ posted }) => posted,
    'NEXT TRY': ({ next_try }) => next_try,
  },
})

export const mailRetry = retryOf('mails.retry', { what: 'mail', list: 'mail list', verb: 'sends' })

export const webhooksList = listCommand('events.list', {
  item: ({ attempts, created_at, due_at, ...event }) => ({
    ...event,
    tries: attempts,
    happened: created_at,
    next_try: due_at,
  }),
  columns: {
    ID: ({ id }) => id,
    STATE: ({ state }) => state,
    EVENT: ({ type }) => type,
    RECEIVER: ({ receiver }) => receiver,
    TRIES: ({ tries }) => tries,
    HAPPENED: ({ happened }) => happened,
    'NEXT TRY': ({ next_try }) => next_try,
  },
})

export const webhooksRetry = retryOf('events.retry', {
  what: 'event',
  list: 'webhooks list',
  verb: 'delivers',
})

function retryOf(
  operation: 'mails.retry' | 'events.retry',
  { what, list, verb }: Record<'what' | 'list' | 'verb', string>,
): Command {
  const argument = { placeholder: '<id>', doc: `an id from "${list}", or all` }
  return changeCommand({ argument }, async (call, { run }) => {
    const unknown = `There is no undelivered ${what} "${call.argument}".`
    const { retried } = await run(operation, null, { id: call.argument }).catch(
      wordsFor('not_found', unknown),
    )
    const words = retried === 1 ? what : `${what}s`
    call.say(`The service ${verb} ${retried} ${words} now.`, { due: retried })
  })
}
