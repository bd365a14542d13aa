import { type Command, command } from './command.ts'
import { listCommand } from './list-command.ts'
import { settingsOptions } from './load-settings.ts'
import { wordsFor } from './refusal.ts'
import { assignmentsIn, fieldOption, readUserFields } from './user/assignments.ts'
import { changeCommand, reasonOption, withOperations } from './with-operations.ts'

export const invite: Command = command({
  argument: { placeholder: '<address>', doc: 'the e-mail address to invite' },
  options: {
    group: {
      type: 'repeated',
      placeholder: '<name>',
      doc: 'A group of the new user; can be repeated',
    },
    ...fieldOption,
    ...reasonOption,
    ...settingsOptions,
  },
  run: (call) =>
    withOperations(call, async ({ run, services }) => {
      const input = {
        email: call.argument,
        groups: call.values.group,
        fields: readUserFields(assignmentsIn(call.values.field), services.userFields.declared),
      }
      const made = await run('invitations.create', null, input).catch(explainOff)
      call.say(`${made.email} is invited until ${made.expires_at}.`, made)
    }),
})

/** Clients learn only that invitations are off. Operators can switch them on. */
const explainOff = wordsFor(
  'invitations_off',
  'Invitations are off. Set ACCOUNT.SIGNUP to "invited" first.',
)

const explainUnknown = (id: string) =>
  wordsFor('not_found', `There is no invitation "${id}". "latchkey invitation list" lists all.`)

const onOne = { argument: { placeholder: '<id>', doc: 'an id from "invitation list"' } }

export const invitationList = listCommand('invitations.list', {
  item: (row) => row,
  columns: {
    ID: ({ id }) => id,
    ADDRESS: ({ email }) => email,
    GROUPS: ({ groups }) => groups.join(' '),
    'INVITED BY': ({ invited_by }) => invited_by ?? 'an operator',
    EXPIRES: ({ expires_at }) => expires_at,
  },
})

export const invitationResend = changeCommand(onOne, async (call, { run }) => {
  const made = await run('invitations.resend', null, { id: call.argument })
    .catch(explainOff)
    .catch(explainUnknown(call.argument))
  call.say(`${made.email} is invited until ${made.expires_at}.`, made)
})

export const invitationRevoke = changeCommand(onOne, async (call, { run }) => {
  await run('invitations.revoke', null, { id: call.argument }).catch(explainUnknown(call.argument))
  call.say(`Invitation ${call.argument} is revoked.`, { revoked: call.argument })
})
