import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { nameKey } from '../../kernel/names.ts'
import { problem } from '../../kernel/problems.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf, type User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { UserDetails } from '../users/user-rows.ts'
import type { Values } from '../users/user-values.ts'
import { emailTaken } from '../users/users.ts'
import { CHANGE, OWN_CHANGE, type Permits } from './permits.ts'
import type { Touched } from './rules.ts'

export type NewAccount = Standing & {
  username: string
  email: string
  /** If null, the user cannot log in with a password. */
  password: string | null
  verified: boolean
  active: boolean
  names?: Omit<UserDetails, 'username'>
  /** Values of `USER_FIELDS`. */
  values?: Values
}

/** The fields that an operator changes. Fields that are not given stay the same. */
export type AccountChanges = {
  names?: UserDetails
  isStaff?: boolean
  isSuperuser?: boolean
  groups?: readonly string[]
  /**
   * An empty `email` removes the address. A new one is unverified unless `verified` says otherwise.
   * Without `email`, `verified` is about the present one.
   */
  address?: { email?: string; verified?: boolean }
  /** Values of `USER_FIELDS`. */
  values?: Values
}

/** New accounts, and changes of what accounts contain. */
export function accountChanges(
  { operator, change, open, permit, keepLast, record }: Permits,
  house: UpToAccount,
) {
  const { db, events, users, userFields, hasher, settings } = house
  const { replaceAddress, verification } = house
  const mailsLinks =
    settings.MODULES.includes('registration') && settings.ACCOUNT.EMAIL_VERIFICATION !== 'none'

  return {
    async create({ password, values = {}, ...account }: NewAccount): Promise<User> {
      const { isStaff, isSuperuser, groups, names, ...details } = account
      const columns = columnsOf(account)
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return transaction(db, async (tx) => {
        await permit(CHANGE, { user: null, touches: touchedIn(columns, null) }, tx)
        // Looked for before the user is added, who would be found first.
        const holder = await holderOf(account.email, tx)
        const user = await users.add({ ...details, ...names, password: hash }, tx)
        if (holder) throw emailTaken()
        await record(user.id, 'user_created', tx, fieldsIn(withoutUsual(columns)))
        if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
        const { user: added } = await userFields.set(user.id, values, tx)
        await events.note('registered', added, { method: 'operator' }, tx)
        return added
      })
    },

    set: (user: User, changes: AccountChanges): Promise<User> =>
      transaction(db, async (tx) => {
        const { names = {}, values = {}, address, ...standing } = changes
        const columns = columnsOf(standing)
        const fields = fieldsIn({ ...names, ...columns, ...values })
        const touches = (now: User): Touched[] => [
          ...touchedIn(columns, now),
          ...(address ? (['address'] as const) : []),
        ]
        const before = await open(user, tx, OWN_CHANGE, touches)
        if (columns.is_superuser === 0) await keepLast(before, tx)
        if (address) await setAddress(before, address, tx)
        const { user: current } = await userFields.set(user.id, values, tx)
        await users.change(current, names, tx)
        if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
        if (fields.fields) await record(user.id, 'user_changed', tx, fields)
        return (await users.findById(user.id, tx)) ?? current
      }),

    markVerified: (user: User): Promise<void> =>
      change(CHANGE, user, async (before, tx) => {
        if (before.email === '') throw problem('user_without_address')
        if (!before.email_verified) await setVerified(before, true, tx)
      }),
  }

  async function setAddress(
    before: User,
    { email, verified: given }: NonNullable<AccountChanges['address']>,
    tx: Tx,
  ): Promise<void> {
    const address = email === undefined ? before.email : nameKey(email)
    if (address === before.email) {
      const isSame =
        address === '' || given === undefined || flagOf(given) === before.email_verified
      if (!isSame) await setVerified(before, given, tx)
      return
    }
    const holder = await holderOf(address, tx)
    if (holder && holder.id !== before.id) throw emailTaken()
    const verified = given ?? false
    const now = await replaceAddress(before, { email: address, verified }, tx, operator).catch(
      (error: unknown) => {
        throw isUniqueViolation(error) ? emailTaken() : error
      },
    )
    if (address !== '' && !verified && mailsLinks) await verification.send(now, tx)
  }

  /** The user who can log in with the address, which may be a further one. */
  async function holderOf(email: string, tx: Tx): Promise<User | undefined> {
    return email === '' ? undefined : users.findByEmail(email, tx)
  }

  async function setVerified(user: User, verified: boolean, tx: Tx): Promise<void> {
    await users.changeEmail(user.id, user.email, verified, tx)
    await record(user.id, verified ? 'email_verified' : 'email_unverified', tx)
  }
}

type Standing = Pick<AccountChanges, 'isStaff' | 'isSuperuser' | 'groups'>

const columnsOf = ({ isStaff, isSuperuser, groups }: Standing) => ({
  ...(isStaff !== undefined && { is_staff: flagOf(isStaff) }),
  ...(isSuperuser !== undefined && { is_superuser: flagOf(isSuperuser) }),
  ...(groups && { group_names: JSON.stringify(groups) }),
})

/** What a new user has anyway is not worth a word. */
const withoutUsual = (columns: ReturnType<typeof columnsOf>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== 0 && value !== '[]'))

/** The names of changed fields, for the audit. */
function fieldsIn(changed: object): { fields?: string } {
  const names = Object.keys(changed).map((name) => (name === 'group_names' ? 'groups' : name))
  return names.length === 0 ? {} : { fields: names.join(',') }
}

/** What the new values change of a user, or give to a new one. */
function touchedIn(columns: ReturnType<typeof columnsOf>, now: User | null): Touched[] {
  const { is_staff: staff = 0, is_superuser: superuser = 0, group_names = '[]' } = now ?? {}
  const isNewFlag =
    (columns.is_staff ?? staff) !== staff || (columns.is_superuser ?? superuser) !== superuser
  const isNewGroup = (columns.group_names ?? group_names) !== group_names
  return [...(isNewFlag ? (['flags'] as const) : []), ...(isNewGroup ? (['groups'] as const) : [])]
}
