import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { listing } from './output.ts'
import { wordsFor } from './refusal.ts'
import { withOperations } from './with-operations.ts'

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
    ...settingsOptions,
  },
  async run(call) {
    const { name, scope: scopes, expires } = call.values
    const input = { name, scopes, ...(expires !== undefined && { expires }) }
    await withOperations(call, async (run) => {
      const made = await run('adminKeys.create', input)
      call.say(made.key, made)
    })
    call.io.stderr.write('Save the key now: it cannot be shown again.\n')
  },
})

export const adminKeyList: Command = command({
  options: settingsOptions,
  run: (call) =>
    withOperations(call, async (run) => {
      const { results } = await run('adminKeys.list')
      const rows = results.map((key) => [
        String(key.id),
        key.name,
        key.scopes.join(' '),
        key.created_by,
        key.expires_at ?? 'never',
        key.last_used_at ?? 'never',
      ])
      const header = ['ID', 'NAME', 'SCOPES', 'MADE BY', 'EXPIRES', 'LAST USED']
      call.say(listing(header, rows), results)
    }),
})

export const adminKeyRevoke: Command = command({
  argument: { placeholder: '<id>', doc: 'an id from "admin-key list"' },
  options: settingsOptions,
  run: (call) =>
    withOperations(call, async (run) => {
      await run('adminKeys.revoke', { id: call.argument }).catch(
        wordsFor(
          'not_found',
          `There is no key "${call.argument}". "latchkey admin-key list" lists all.`,
        ),
      )
      call.say(`Key ${call.argument} is revoked.`, { revoked: call.argument })
    }),
})
