import type { Service } from '../../src/compose-service.ts'
import { pkOf } from '../../src/core/identity.ts'
import type { OperationName } from '../../src/features/administration/operations.ts'
import type { Actor } from '../../src/features/administration/rules.ts'
import type { Pk } from '../../src/kernel/ids.ts'
import type { User } from '../../src/storage/schema.ts'

export type NewAccount = Standing & {
  username: string
  email: string
  /** If null, the user cannot log in with a password. */
  password: string | null
  verified: boolean
  active: boolean
}

type Standing = {
  isStaff?: boolean
  isSuperuser?: boolean
  groups?: readonly string[]
  names?: object
  /** Values of `USER_FIELDS`. */
  values?: object
}

type Changes = Standing & { address?: { email?: string; verified?: boolean } }

/** The operator in whose name the tests change accounts. */
export const OPERATOR = { operator: 'grace', host: 'console' }
export const ACTOR = {
  kind: 'cli',
  may: 'all',
  name: 'grace',
  machine: { host: 'console' },
} as const satisfies Actor

/** The operations on users, in the name of that operator. */
export function administrationOf({
  operations,
  administration,
  audit,
  users,
}: Service['services']) {
  async function change(name: OperationName, user: User, input: object = {}): Promise<void> {
    await operations.call(ACTOR, name, { pk: pkOf(user), ...input })
  }
  const on = (name: OperationName) => (user: User) => change(name, user)

  return {
    named: administration.named,
    history: (id: number) => audit.newestOfUser(id, 20),
    list: users.list,
    revokeAll: (note: (done: number) => void) => administration.revokeAll(ACTOR, note),
    activate: on('users.activate'),
    deactivate: on('users.deactivate'),
    markVerified: on('users.markVerified'),
    sendReset: on('users.sendReset'),
    resetMfa: on('users.resetMfa'),
    revoke: on('users.endLogins'),
    remove: on('users.delete'),
    export: (user: User) => operations.call(ACTOR, 'users.export', { pk: pkOf(user) }),
    setPassword: (user: User, password: string) => change('users.setPassword', user, { password }),
    set: (user: User, { address, ...standing }: Changes) =>
      change('users.update', user, { ...inputOf(standing), ...address }),

    async create({ username, email, password, verified, active, ...more }: NewAccount) {
      const account = { username, email, verified, active, ...inputOf(more) }
      const given = { ...account, ...(password !== null && { password }) }
      const { pk } = await operations.call(ACTOR, 'users.create', given)
      const user = await users.findByPk(pk as Pk)
      if (!user) throw new Error('The new user is gone.')
      return user
    },
  }
}

const inputOf = ({ isStaff, isSuperuser, groups, names, values }: Standing) => ({
  ...names,
  ...(isStaff !== undefined && { is_staff: isStaff }),
  ...(isSuperuser !== undefined && { is_superuser: isSuperuser }),
  ...(groups && { groups }),
  ...(values && { fields: values }),
})
