import type { Adoption, Loss } from '../../../core/takeover.ts'
import type { PasswordHasher } from '../../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { Settings } from '../../../settings/settings.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'
import type { Tx } from '../../../storage/handle.ts'
import type { HashKinds } from '../hash-kinds.ts'
import { usernameFrom } from '../usernames.ts'
import { type AdoptedRow, addUsers, findTaken } from './adopt-queries.ts'
import { adoptedFields } from './adopted-fields.ts'
import { passwordLosses, storedPassword } from './adopted-password.ts'
import { addressLoss, chosenAddress } from './chosen-address.ts'
import { damageLosses } from './damage-losses.ts'
import { holdUniqueFields } from './hold-unique-fields.ts'
import { numberedName } from './numbered-name.ts'
import { addressOfAnother } from './rename.ts'

/** What to do where two users of the source cannot both keep what they have. */
export type TakeoverRules = {
  /** Two usernames that differ only in case: the second user gets another name, or stays out. */
  readonly username: 'rename' | 'keep-first'
  /** One address of two users: it goes to the one who verified it, or to the first one. */
  readonly address: 'keep-verified' | 'keep-first'
}

/** A loss, and the part whose next change may mend it. */
export type PartLoss = { readonly part: string; readonly loss: Loss }

export type AdoptUsers = ReturnType<typeof createAdoptUsers>

type Known = {
  readonly rules: TakeoverRules
  /** The keys of the users who have verified an address at the source, by address. */
  readonly verifiedBy: ReadonlyMap<string, string>
}

type Needs = {
  hasher: PasswordHasher
  hashKinds: HashKinds
  clock: Clock
  settings: Pick<Settings, 'USER_FIELDS' | 'USER_PK'>
}

/** Adds users with the ids, names and password hashes that they have at the source. */
export function createAdoptUsers({ hasher, hashKinds, clock, settings }: Needs) {
  return async (
    sources: readonly DjangoUser[],
    { rules, verifiedBy }: Known,
    tx: Tx,
  ): Promise<{ adoptions: Adoption[]; losses: PartLoss[] }> => {
    const losses: PartLoss[] = []
    const rows: AdoptedRow[] = []
    const adopted: DjangoUser[] = []
    const taken = await takenBy(sources, tx)

    for (const source of sources) {
      const lose = (part: string, why: string) =>
        losses.push({ part, loss: { source, what: part, why } })
      if (taken.pks.has(source.pk)) {
        lose('user', 'another user here has this pk')
        continue
      }
      const username = await usernameOf(source)
      if (username === null) continue
      const address = addressOf(source)
      losses.push(...passwordLosses(source, hasher).map((loss) => ({ part: 'password', loss })))
      const { values, losses: lostFields } = adoptedFields(source, settings.USER_FIELDS)
      const damaged = damageLosses(source)
      losses.push(...[...damaged, ...lostFields].map((loss) => ({ part: 'profile', loss })))

      taken.usernames.add(nameKey(username))
      if (address) taken.addresses.add(address.key)
      adopted.push(source)
      rows.push({ ...rowOf(source, username), ...addressColumns(address), ...extra(values) })

      async function usernameOf({ username: theirs, email, firstName }: DjangoUser) {
        const wish = theirs === null || theirs === '' ? null : normalizeUsername(theirs)
        const name = wish ?? usernameFrom([email, firstName])
        if (!taken.usernames.has(nameKey(name)) && (wish || (await isFree(name)))) {
          const owner = verifiedBy.get(nameKey(name)) ?? source.key
          if (owner !== source.key) lose('username', addressOfAnother(name))
          return name
        }
        if (wish && rules.username === 'keep-first') {
          lose('user', `the username ${wish} is taken, in this or another case`)
          return null
        }
        const free = await numberedName(name, taken.usernames, tx)
        if (wish) lose('username', `${wish} is taken, in this or another case; now ${free}`)
        return free
      }
    }
    await hashKinds.note(
      rows.map(({ password }) => password),
      tx,
    )
    const added = rows.length === 0 ? [] : await addUsers(tx, rows)
    const adoptions = adoptionsOf(adopted, added)
    const doubled = await holdUniqueFields(adoptions, settings.USER_FIELDS, tx)
    losses.push(...doubled.map((loss) => ({ part: 'profile', loss })))
    return { adoptions, losses }

    async function isFree(name: string): Promise<boolean> {
      return (await findTaken(tx, 'username_key', [nameKey(name)])).size === 0
    }

    function addressOf(source: DjangoUser) {
      const address = chosenAddress(source)
      const owner =
        address && rules.address === 'keep-verified' ? verifiedBy.get(address.key) : undefined
      const isTaken =
        address !== null &&
        (taken.addresses.has(address.key) || (owner ?? source.key) !== source.key)
      losses.push(...addressLoss(source, isTaken).map((loss) => ({ part: 'addresses', loss })))
      return isTaken ? null : address
    }
  }

  function rowOf(source: DjangoUser, username: string) {
    const { pk } = source
    return {
      ...(typeof pk === 'number' ? { id: pk, uuid: null } : { uuid: pk }),
      username,
      username_key: nameKey(username),
      username_skeleton: null,
      ...profileColumns(source),
      ...flagColumns(source),
      password: storedPassword(source, hasher),
      joined_at: source.joinedAt ?? clock.now(),
      last_login_at: source.lastLogin,
    }
  }
}

export const profileColumns = (source: DjangoUser) => ({
  first_name: source.firstName,
  last_name: source.lastName,
  group_names: JSON.stringify(source.groups),
})

export const flagColumns = (source: DjangoUser) => ({
  is_active: source.isActive ? (1 as const) : (0 as const),
  is_staff: source.isStaff ? (1 as const) : (0 as const),
  is_superuser: source.isSuperuser ? (1 as const) : (0 as const),
})

export const extra = (values: object) => ({ extra: JSON.stringify(values) })

export const addressColumns = (address: ReturnType<typeof chosenAddress>) => ({
  email: address?.key ?? '',
  email_key: address?.key ?? null,
  email_verified: address?.isVerified ? (1 as const) : (0 as const),
})

async function takenBy(sources: readonly DjangoUser[], tx: Tx) {
  const pks = sources.map(({ pk }) => pk)
  const names = sources.flatMap(({ username }) => (username ? [nameKey(username)] : []))
  const addresses = sources.flatMap((source) => chosenAddress(source)?.key ?? [])
  return {
    pks: new Set([
      ...(await findTaken(
        tx,
        'id',
        pks.filter((pk) => typeof pk === 'number'),
      )),
      ...(await findTaken(
        tx,
        'uuid',
        pks.filter((pk) => typeof pk === 'string'),
      )),
    ]),
    usernames: await findTaken(tx, 'username_key', names),
    addresses: await findTaken(tx, 'email_key', addresses),
  }
}

function adoptionsOf(
  sources: readonly DjangoUser[],
  added: readonly { id: number; uuid: string | null }[],
): Adoption[] {
  const ids = new Map(added.map(({ id, uuid }) => [uuid ?? id, id]))
  return sources.flatMap((source) => {
    const userId = ids.get(source.pk)
    return userId === undefined ? [] : [{ userId, source }]
  })
}
