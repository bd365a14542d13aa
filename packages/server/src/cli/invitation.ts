import { allPages } from './all-pages.ts'
import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'
import { listing } from './output.ts'
import { wordsFor } from './refusal.ts'
import { assignmentsIn, readUserFields } from './user/assignments.ts'

export const invite: Command = command({
  argument: { placeholder: '<address>', doc: 'the e-mail address to invite' },
  options: {
    group: {
      type: 'repeated',
      placeholder: '<name>',
      doc: 'A group of the new user; can be repeated',
    },
    field: {
      type: 'repeated',
      placeholder: '<name>=<value>',
      doc: 'Set a field of USER_FIELDS; can be repeated',
    },
    ...settingsOptions,
  },
  run: (call) =>
    withServices(call, async ({ operations, userFields }) => {
      const input = {
        email: call.argument,
        groups: call.values.group,
        fields: readUserFields(assignmentsIn(call.values.field), userFields.declared),
      }
      const made = await operations
        .call(operatorOf(call.io), 'invitations.create', input)
        .catch(explainOff)
      call.say(`${made.email} is invited until ${made.expires_at}.`, made)
    }),
})

/** Clients learn only that invitations are off. Operators can switch them on. */
const explainOff = wordsFor(
  'invitations_off',
  'Invitations are off. Set ACCOUNT.SIGNUP to "invited" first.',
)

const onOne = { argument: { placeholder: '<id>', doc: 'an id from "invitation list"' } }

export const invitationList: Command = command({
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ operations }) => {
      const all = await allPages((page) =>
        operations.call(operatorOf(call.io), 'invitations.list', page),
      )
      const rows = all.map(({ id, email, groups, invited_by, expires_at }) => [
        String(id),
        email,
        groups.join(' '),
        invited_by ?? '',
        expires_at,
      ])
      const header = ['ID', 'ADDRESS', 'GROUPS', 'INVITED BY', 'EXPIRES']
      call.say(listing(header, rows), all)
    }),
})

export const invitationResend: Command = command({
  ...onOne,
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ operations }) => {
      const input = { id: call.argument }
      const made = await operations
        .call(operatorOf(call.io), 'invitations.resend', input)
        .catch(explainOff)
      call.say(`${made.email} is invited until ${made.expires_at}.`, made)
    }),
})

export const invitationRevoke: Command = command({
  ...onOne,
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ operations }) => {
      await operations.call(operatorOf(call.io), 'invitations.revoke', { id: call.argument })
      call.say(`Invitation ${call.argument} is revoked.`, { revoked: call.argument })
    }),
})
