import { setImmediate as nextTurn } from 'node:timers/promises'
import { pkOf } from '../../../server/src/core/identity.ts'
import type { UpToAdministration } from '../../../server/src/features/administration/feature.ts'
import { ID_MAX } from '../../../server/src/kernel/ids.ts'
import { firstLine } from '../../../server/src/kernel/texts.ts'
import { isUnavailable, isUniqueViolation } from '../../../server/src/storage/faults.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import type { User } from '../../../server/src/storage/schema.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import { createCounts } from '../import/counts.ts'
import {
  addImportedUsers,
  changeImportedUser,
  dropFindingsOfUser,
  type ImportedUser,
  listDeletedHere,
  listUsersWithOrigin,
} from '../import/import-queries.ts'
import { partFrom } from '../import/numbers.ts'
import {
  digestsHere,
  digestsOf,
  digestsThere,
  digestThen,
  digestThere,
  type Here,
  isIncomplete,
  type PartDigests,
  parsePartDigests,
} from '../import/part-digests.ts'
import { createExportTurns } from '../import/state.ts'
import { rememberedAddresses } from '../map/addresses.ts'
import type { Part } from '../map/part.ts'
import { partsOf } from '../map/parts.ts'
import type { DjangoOrigin, DjangoUser } from '../source/django-user.ts'
import { readUsersWith } from '../source/read-users.ts'
import type { DjangoSource } from '../source/source.ts'
import { keysThere, pkOfKeyText, type UserModel } from '../source/user-model.ts'
import { createUserWriter } from '../source/write-users.ts'
import { addressChanges, djangoHash, forDjango } from './for-django.ts'

type ExportOrder = {
  readonly source: DjangoSource
  readonly model: UserModel
  readonly origin: DjangoOrigin
}

/** What was written, and what was left as it is in the project, with the reason. */
type Exported = {
  readonly counts: Readonly<Record<string, number>>
  readonly kept: readonly KeptThere[]
  readonly isDone: boolean
}

type KeptThere = { readonly pk: string; readonly what: string; readonly why: string }

type Remembered = Omit<ImportedUser, 'user_id' | 'parts'> & { readonly parts: PartDigests }

/** The parts that were written, and which of them are complete there. By default all are. */
type Written = { parts: readonly Part[]; isComplete?: (part: string) => boolean }

type Origin = { source_key: string | null; source_parts: string | null }

const BATCH = 250

const CHANGED_TOO = 'it has changed there, too'
const TAKEN = 'another user there has the same username, address or pk'

/**
 * Writes new users, changed passwords and changed addresses into the tables of the Django project,
 * so that it can be used again. A later import does not treat them as changes. A trial writes into a
 * copy or a transaction that is rolled back, so it finds the same conflicts, and stores nothing here.
 */
export function createDjangoExport(house: UpToAdministration) {
  const { djangoOrigins } = house
  const { USER_FIELDS: declared } = house.settings
  const parts = partsOf(house)

  return async (
    db: Db,
    { source, model, origin }: ExportOrder,
    watch: { note(seen: number): void; isStopping(): boolean },
  ): Promise<Exported> => {
    const partsBack = parts.filter(({ name }) => name === 'password' || name === 'addresses')
    const writer = createUserWriter(source, model)
    const counts = createCounts()
    const kept: KeptThere[] = []
    const keep = (user: User, what: string, why: string) =>
      kept.push({ pk: String(pkOf(user)), what, why })

    const { isTrial } = source
    const inTurn = await createExportTurns(db)
    // From now on, an import that was running can write nothing.
    if (!isTrial) await inTurn(async () => {})
    const lastNew = isTrial ? ID_MAX : await partFrom({ source, model }, db)
    let after = 0
    let seen = 0
    while (!watch.isStopping()) {
      const ids = (await listUsersWithOrigin(db, after, BATCH)).map(({ id }) => id)
      const here = await transaction(db, (tx) => digestsHere(parts, ids, tx))
      // Read after the digests: a later change differs from them, so the next export writes it.
      const users = await listUsersWithOrigin(db, after, BATCH)
      for (const user of users) if (ids.includes(user.id)) await exportUser(user, here)
      after = ids.at(-1) ?? after
      seen += ids.length
      watch.note(seen)
      if (ids.length === 0) {
        kept.push(...(await listDeletedHere(db)).map(deletedHere))
        return { counts: counts.all(), kept, isDone: true }
      }
      // Queries of SQLite are synchronous. Without a pause no signal could stop the export.
      await nextTurn()
    }
    return { counts: counts.all(), kept, isDone: false }

    async function exportUser(
      { source_key, source_parts, ...user }: User & Origin,
      here: Here,
    ): Promise<void> {
      if (source_key === null) {
        // Users who register during an export are written by the next one.
        return user.id <= lastNew ? add(user, here) : undefined
      }
      const digests = parsePartDigests(source_parts ?? '{}')
      const isChanged = ({ name }: Part) => (digests[name]?.[1] ?? '') !== here(user.id, name)
      const changed = partsBack.filter(isChanged)
      if (changed.length === 0) return
      const there = await userAtSource(user)
      if (!there) return void keep(user, 'user', 'was deleted there')
      // The import left out the address that the user has there. Nobody has removed it here.
      const hasNone = user.email === '' && user.email_epoch === 0
      const isLeftOut = hasNone && isIncomplete(digests.addresses?.[0])
      const given: Part[] = []
      for (const part of changed) {
        if (digestThen(digests[part.name]?.[0]) !== digestThere(part, there)) {
          keep(user, part.name, CHANGED_TOO)
        } else if (await isWritten(user, part.name, () => write(part, user, there, isLeftOut))) {
          counts.note(part.name, 1)
          given.push(part)
        }
      }
      if (!isTrial && given.length > 0) {
        const isComplete = (part: string) => part !== 'addresses' || !isLeftOut
        await remember(user, { parts: given, isComplete }, here, (tx, row) =>
          changeImportedUser(tx, { ...row, parts: JSON.stringify({ ...digests, ...row.parts }) }),
        )
      }
    }

    async function add(user: User, here: Here): Promise<void> {
      const before = await userAtSource(user)
      if (before && !isSame(before, user)) {
        return void keep(user, 'user', TAKEN)
      }
      // An interrupted export may have added the user already.
      const isThere =
        before || (await isWritten(user, 'user', () => writer.add(forDjango(user, declared))))
      if (!isThere) return
      counts.note('added', 1)
      if (isTrial) return
      await remember(user, { parts }, here, async (tx, row) => {
        const stored = { ...row, user_id: user.id, parts: JSON.stringify(row.parts) }
        await addImportedUsers(tx, [stored])
        // After an interrupted export, an import may have taken them for somebody else.
        await dropFindingsOfUser(tx, row.source_key)
      })
    }

    /** Returns false, and reports why, if the project refuses the change. */
    async function isWritten(user: User, what: string, work: () => Promise<void>) {
      try {
        await work()
        return true
      } catch (error) {
        if (isUnavailable(error)) throw error
        const isTaken = isUniqueViolation(error)
        keep(user, what, isTaken ? TAKEN : `refused: ${firstLine(error)}`)
        return false
      }
    }

    async function write(
      { name }: Part,
      user: User,
      there: DjangoUser,
      isLeftOut: boolean,
    ): Promise<void> {
      if (name === 'password') {
        return writer.setPassword(pkOf(user), djangoHash(user.password))
      }
      const verified = await djangoOrigins.verifiedOf(user.id, db)
      const changes = addressChanges(forDjango(user, declared), verified, there)
      await writer.changeAddresses(isLeftOut ? { ...changes, main: null } : changes)
    }

    async function userAtSource(user: User): Promise<DjangoUser | undefined> {
      const [found] = await readUsersWith(source, model, origin, keysThere(model, [pkOf(user)]))
      return found
    }

    /** Stores what the project has now, so that the next import finds no change. */
    async function remember(
      user: User,
      { parts, isComplete }: Written,
      here: Here,
      store: (tx: Tx, row: Remembered) => Promise<unknown>,
    ): Promise<void> {
      const there = await userAtSource(user)
      if (!there) return
      await inTurn(async (tx) => {
        const now = digestsThere(parts, there)
        const digests = digestsOf(now, (part) => here(user.id, part), isComplete)
        await store(tx, { source_key: there.key, ...rememberedAddresses(there), parts: digests })
      })
    }
  }
}

const deletedHere = ({ source_key }: { source_key: string }): KeptThere => ({
  pk: String(pkOfKeyText(source_key) ?? source_key),
  what: 'user',
  why: 'was deleted here',
})

const isSame = ({ username, email, password }: DjangoUser, user: User): boolean =>
  password === djangoHash(user.password) &&
  (username ?? email) === (username === null ? user.email : user.username)
