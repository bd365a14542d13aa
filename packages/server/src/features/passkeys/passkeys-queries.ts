import { type Insertable, sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database, Flag } from '../../storage/schema.ts'

export type NewPasskey = Insertable<Database['passkeys']>
type NewChallenge = Insertable<Database['passkey_challenges']>
export type Use = {
  sign_count: number
  backup_eligible: Flag
  backed_up: Flag
  last_used_at: number
}

/** An existing handle is kept. */
export const addOwnerIfNew = change((db, owner: Database['passkey_owners']) =>
  db
    .insertInto('passkey_owners')
    .values(owner)
    .onConflict((conflict) => conflict.doNothing()),
)

export const findOwner = one((db, userId: number) =>
  db.selectFrom('passkey_owners').selectAll().where('user_id', '=', userId),
)

/** Newest first. */
export const listPasskeysOfUser = many((db, userId: number) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id', 'desc'),
)

/** What the options of a login name. */
export const listDescriptorsOf = many((db, userId: number, namesakeId: number) =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', 'in', [userId, namesakeId])
    .orderBy('id', 'desc'),
)

export const hasPasskey = whether((db, userId: number) =>
  db.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1),
)

export const hasAnyPasskey = whether((db) => db.selectFrom('passkeys').select('id').limit(1))

export const findPasskeyOfUser = one((db, userId: number, id: number) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).where('id', '=', id),
)

export const findByCredentialId = one((db, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('passkey_owners', 'passkey_owners.user_id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select('passkey_owners.handle')
    .where('credential_id', '=', credentialId),
)

/** Adds nothing if a user has the credential already. */
export const addPasskeyIfNew = one((db, passkey: NewPasskey) =>
  db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll(),
)

/**
 * Accepts only a growing counter: one that does not grow hints at a copy of the authenticator,
 * unless it always sends zero.
 */
export const recordUse = whether((db, id: number, use: Use) =>
  db
    .updateTable('passkeys')
    .set({ ...use, backup_known: 1 })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('sign_count', '<', use.sign_count),
        eb.and([eb('sign_count', '=', 0), eb('sign_count', '=', use.sign_count)]),
      ]),
    )
    .returning('id'),
)

export const renamePasskey = one((db, userId: number, id: number, name: string) =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll(),
)

export const removePasskey = whether((db, userId: number, id: number) =>
  db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).returning('id'),
)

export const listPasskeysOf = (handle: Handle, userIds: readonly number[]) =>
  kyselyOf(handle)
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'name'])
    .where('user_id', 'in', userIds)
    .orderBy('credential_id')
    .execute()

export const hasPasskeyWithId = whether((db, id: number) =>
  db.selectFrom('passkeys').select('id').where('id', '=', id),
)

/** Puts a challenge only if the place is free, or occupied only until then. Returns whether it did. */
export const putChallenge = whether((db, challenge: NewChallenge, until: number) =>
  db
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(challenge)
        .where('passkey_challenges.expires_at', '<=', until),
    )
    .returning('key'),
)

/**
 * Removes and returns a challenge. Of parallel calls one gets it, and only with the right beginning
 * of the digest.
 */
export const takeChallenge = one((db, key: string, beginning: string) =>
  db
    .deleteFrom('passkey_challenges')
    .where('key', '=', key)
    .where(sql`substr(digest, 1, length(${beginning}))`, '=', beginning)
    .returningAll(),
)

export const removeChallenge = change((db, key: string) =>
  db.deleteFrom('passkey_challenges').where('key', '=', key),
)

/** Gives the challenges that need a passkey of one user to another. */
export const passChallengesOn = change((db, userId: number, otherId: number) =>
  db.updateTable('passkey_challenges').set({ user_id: otherId }).where('user_id', '=', userId),
)
