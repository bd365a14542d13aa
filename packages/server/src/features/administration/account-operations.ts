import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import {
  type BodyOf,
  email,
  language,
  optional,
  password,
  text,
  username,
} from '../../http/fields.ts'
import { NAME_MAX, PASSWORD_MAX } from '../../kernel/lengths.ts'
import { nameKey } from '../../kernel/names.ts'
import { fieldProblem } from '../../kernel/problems.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf, type User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import { possiblePasswordFaults } from '../passwords/password-rules.ts'
import { notUnique, uniqueNames } from '../users/user-fields.ts'
import type { PersonalDetails } from '../users/user-values.ts'
import { emailTaken } from '../users/users.ts'
import { flag, groups, ownFields, pk } from './fields-of-operations.ts'
import { type Needs, operation } from './operation.ts'
import { CHANGE, OWN_CHANGE, type Permits, type Touched } from './rules.ts'

/** New accounts, and changes of what accounts contain. */
export function accountOperations(house: Needs) {
  const { db, events, users, userFields, answerAccount, findTarget, host, settings } = house
  const { replaceAddress, verification } = house
  const mailsLinks =
    settings.MODULES.includes('registration') && settings.ACCOUNT.EMAIL_VERIFICATION !== 'none'
  const details = detailsOf(house)
  /** A value that another user has is refused under its own name, not under `fields`. */
  const valueTaken = notUnique(uniqueNames(userFields.declared))

  return {
    'users.create': operation({
      ...CHANGE,
      method: 'POST',
      path: 'users/',
      summary: 'Create a user',
      input: {
        username: username(),
        password: optional(password({ max: PASSWORD_MAX })),
        active: optional(flag()),
        ...details,
      },
      output: answerAccount.schema,
      faults: {
        username: ['username_taken'],
        email: ['email_taken'],
        password: possiblePasswordFaults(host),
      },
      refusals: valueTaken,
      async run(permits, { username, password, active = true, ...input }) {
        const { email = '', verified = false, fields = {} } = input
        const account = { username, email, ...namesIn(input) }
        const columns = columnsOf(input)
        // Without a password, the user cannot log in with one.
        const hash =
          password === undefined
            ? unusablePassword()
            : await hashOf(password, permits, account, house)
        const added = await transaction(db, async (tx) => {
          await permits.permit({ user: null, touches: touchedIn(columns, null) }, tx)
          // Another user may have it as a further address. Afterwards the lookup would find the new
          // user first.
          const holder = await users.findByEmail(email, tx)
          const user = await users.add({ ...account, password: hash, verified, active }, tx)
          if (holder) throw emailTaken()
          const given = fieldsIn(withoutUsual(columns))
          await permits.record(user.id, 'user_created', tx, given)
          if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
          const { user: added } = await userFields.set(user.id, fields, tx)
          await events.note('registered', added, { method: 'operator' }, tx)
          return added
        })
        return answerAccount.one(added)
      },
    }),

    /**
     * Fields that are not given stay the same. An empty `email` removes the address. A new one is
     * unverified unless `verified` says otherwise. Without `email`, `verified` is about the present one.
     */
    'users.update': operation({
      ...OWN_CHANGE,
      method: 'PATCH',
      path: 'users/:pk/',
      summary: 'Change names, flags, groups, fields or the address of a user',
      input: { pk: pk(), username: optional(username()), ...details },
      output: answerAccount.schema,
      faults: { username: ['username_taken'], email: ['email_taken'] },
      refusals: valueTaken,
      async run(permits, { pk, email, verified, fields = {}, ...input }) {
        const [names, columns] = [namesIn(input), columnsOf(input)]
        const changed = fieldsIn({ ...names, ...columns, ...fields })
        const isAboutAddress = email !== undefined || verified !== undefined
        const touches = (now: User): Touched[] => [
          ...touchedIn(columns, now),
          ...(isAboutAddress ? (['address'] as const) : []),
        ]
        const user = await findTarget(pk)
        const change = async (before: User, tx: Tx) => {
          if (columns.is_superuser === 0) await permits.keepLast(before, tx)
          if (isAboutAddress) await setAddress(before, { email, verified }, permits, tx)
          const { user: current } = await userFields.set(user.id, fields, tx)
          await users.change(current, names, tx)
          if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
          if (changed.fields) await permits.record(user.id, 'user_changed', tx, changed)
        }
        await permits.change(user, change, touches)
        return answerAccount.current(user)
      },
    }),
  }

  async function setAddress(
    before: User,
    { email, verified: given }: Pick<Given, 'email' | 'verified'>,
    permits: Permits,
    tx: Tx,
  ): Promise<void> {
    const address = email === undefined ? before.email : nameKey(email)
    if (address === before.email) {
      const isSame =
        address === '' || given === undefined || flagOf(given) === before.email_verified
      if (isSame) return
      await users.changeEmail(before.id, address, given, tx)
      await permits.record(before.id, given ? 'email_verified' : 'email_unverified', tx)
      return
    }
    const holder = await users.findByEmail(address, tx)
    if (holder && holder.id !== before.id) throw emailTaken()
    const verified = given ?? false
    const { operator } = permits
    const now = await replaceAddress(before, { email: address, verified }, tx, operator).catch(
      (error: unknown) => {
        throw isUniqueViolation(error) ? emailTaken() : error
      },
    )
    if (address !== '' && !verified && mailsLinks) await verification.send(now, tx)
  }
}

/**
 * The hash of a password that an operator sets. Commands and the host may set any password: they could
 * change the database anyway.
 */
export async function hashOf(
  password: string,
  { actor }: Permits,
  details: PersonalDetails,
  { passwordRules, hasher }: UpToAccount,
): Promise<string> {
  const faults = actor.may === 'all' ? [] : await passwordRules(password, details)
  if (faults.length > 0) throw fieldProblem({ password: faults })
  return hasher.hash(password)
}

/** The fields of a new user that an operator can also change later. */
const detailsOf = ({ userFields, languages }: Needs) => ({
  email: optional(email({ mayBeBlank: true })),
  verified: optional(flag()),
  first_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  last_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  language: optional(language(languages.offered)),
  is_staff: optional(flag()),
  is_superuser: optional(flag()),
  groups: optional(groups()),
  fields: ownFields(userFields.declared),
})

type Given = Partial<BodyOf<ReturnType<typeof detailsOf>> & { username: string | undefined }>

const namesIn = ({ username, first_name, last_name, language }: Given) => ({
  ...(username !== undefined && { username }),
  ...(first_name !== undefined && { first_name }),
  ...(last_name !== undefined && { last_name }),
  ...(language !== undefined && { language }),
})

const columnsOf = ({ is_staff, is_superuser, groups }: Given) => ({
  ...(is_staff !== undefined && { is_staff: flagOf(is_staff) }),
  ...(is_superuser !== undefined && { is_superuser: flagOf(is_superuser) }),
  ...(groups && { group_names: JSON.stringify([...new Set(groups)]) }),
})

/** Leaves out the values that every new user has. */
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
