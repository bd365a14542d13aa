import { type Command, command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'
import { listing } from './output.ts'
import { refusal } from './refusal.ts'
import { assignmentsIn, readUserFields } from './user/assignments.ts'
import { isProblem } from './user/with-user.ts'

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
function explainOff(error: unknown): never {
  if (!isProblem(error, 'invitations_off')) throw error
  throw refusal('Invitations are off. Set ACCOUNT.SIGNUP to "invited" first.')
}

const onOne = { argument: { placeholder: '<id>', doc: 'an id from "invitation list"' } }

export const invitationList: Command = command({
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ operations }) => {
      const read = (page: object) =>
        operations.call(operatorOf(call.io), 'invitations.list', { limit: '200', ...page })
      let page = await read({})
      const all = page.results
      while (page.next !== null) {
        page = await read({ after: page.next })
        all.push(...page.results)
      }
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
