import { type Command, command } from './command.ts'
import { listCommand } from './list-command.ts'
import { settingsOptions } from './load-settings.ts'
import { usageRefusal, wordsFor } from './refusal.ts'
import { changeCommand, reasonOption, withOperations } from './with-operations.ts'

export const adminKeyCreate: Command = command({
  options: {
    name: { type: 'needed', placeholder: '<name>', doc: 'What the key is for' },
    scope: {
      type: 'repeated',
      placeholder: 'read|audit|mails|users',
      doc: 'What the key may do (required; can be repeated)',
    },
    expires: {
      type: 'optional',
      placeholder: '<90d or date>',
      doc: 'When the key expires; without it, never',
    },
    ...reasonOption,
    ...settingsOptions,
  },
  async run(call) {
    const { name, scope: scopes, expires } = call.values
    if (scopes.length === 0) throw usageRefusal('The option --scope is required.')
    const input = { name, scopes, ...(expires !== undefined && { expires }) }
    await withOperations(call, async ({ run }) => {
      const made = await run('adminKeys.create', null, input)
      call.say(made.key, made)
    })
    call.io.stderr.write('Save the key now: it cannot be shown again.\n')
  },
})

export const adminKeyList = listCommand('adminKeys.list', {
  item: (row) => row,
  columns: {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    SCOPES: ({ scopes }) => scopes.join(' '),
    'MADE BY': ({ created_by }) => created_by,
    EXPIRES: ({ expires_at }) => expires_at ?? 'never',
    'LAST USED': ({ last_used_at }) => last_used_at ?? 'never',
  },
})

const onOne = { argument: { placeholder: '<id>', doc: 'an id from "admin-key list"' } }

export const adminKeyRevoke = changeCommand(onOne, async (call, { run }) => {
  const { argument: id } = call
  const unknown = `There is no key "${id}". "latchkey admin-key list" lists all.`
  await run('adminKeys.revoke', null, { id }).catch(wordsFor('not_found', unknown))
  call.say(`Key ${id} is revoked.`, { revoked: id })
})
