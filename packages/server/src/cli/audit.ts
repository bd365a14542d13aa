import { pkOf } from '../core/identity.ts'
import type { AuditRecord } from '../kernel/admin-answers.ts'
import { type Pk, readPk } from '../kernel/ids.ts'
import { listCommand } from './list-command.ts'
import type { Columns } from './output.ts'
import { refusal } from './refusal.ts'
import { findNamed } from './user/with-user.ts'
import { nameOf, type Operations } from './with-operations.ts'

export const AUDIT_COLUMNS = {
  AT: ({ at }) => at,
  EVENT: ({ event }) => event,
  USER: ({ user }) => user,
  BY: ({ operator }) =>
    operator ? `${operator.kind} ${operator.name ?? operator.pk ?? ''}`.trim() : 'user',
  DETAILS: ({ address, reason, details }) => ({
    ...(address !== null && { address }),
    ...(reason !== null && { reason }),
    ...details,
  }),
} satisfies Columns<AuditRecord>

export const audit = listCommand('audit.find', {
  filters: {
    user: {
      type: 'optional',
      placeholder: '<user>',
      doc: 'Only about this user: a username, a pk or an e-mail address',
    },
    operator: {
      type: 'optional',
      placeholder: '<operator>',
      doc: 'Only by this operator: a name, a pk, or one of cli, host, key, person, impersonation',
    },
    event: {
      type: 'optional',
      placeholder: '<event>',
      doc: 'Only events of this kind, such as user_deactivated',
    },
    since: {
      type: 'optional',
      placeholder: '<time>',
      doc: 'Only since this time or date (UTC)',
    },
    until: {
      type: 'optional',
      placeholder: '<time>',
      doc: 'Only before this time or date (UTC)',
    },
  },
  meaning: async ({ user, ...others }, operations) =>
    user === undefined ? others : { ...others, user: await pkNamed(String(user), operations) },
  item: (row) => row,
  columns: AUDIT_COLUMNS,
})

/** A deleted user is known by the pk of their deletion, which may be the username of somebody else. */
async function pkNamed(name: string, operations: Operations): Promise<Pk> {
  const pk = readPk(name)
  if (pk === null) return pkOf(await findNamed(name, operations, 'Choose one with --user <pk>.'))
  const namesake = await operations.services.users.findByUsername(name)
  if (!namesake && !(await isKnown(pk, operations))) {
    throw refusal(`There is no user with the pk ${pk}, and no event about one.`)
  }
  if (!namesake || pkOf(namesake) === pk) return pk
  throw refusal(
    `"${name}" is a username and can be the pk of another user, even of a deleted one. Use --user ${pkOf(namesake)} for ${nameOf(namesake)}, or "latchkey user history --pk ${pk}" for the other.`,
  )
}

async function isKnown(pk: Pk, operations: Operations): Promise<boolean> {
  if (await operations.services.users.findByPk(pk)) return true
  const { results } = await operations.run('audit.find', null, { user: pk, limit: '1' })
  return results.length > 0
}
