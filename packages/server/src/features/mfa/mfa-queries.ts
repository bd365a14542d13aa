import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database, LoginMethod } from '../../storage/schema.ts'

export type Authenticator = Database['totp_authenticators']

export const findAuthenticatorOfUser = one((db, userId: number) =>
  db.selectFrom('totp_authenticators').selectAll().where('user_id', '=', userId),
)

/** Of parallel activations one adds its row and gets true. */
export const addAuthenticatorIfNone = whether((db, authenticator: Authenticator) =>
  db
    .insertInto('totp_authenticators')
    .values(authenticator)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id'),
)

/** Accepts only a step that is newer than all accepted ones, so that no code works twice. */
export const acceptStep = whether((db, userId: number, step: number, at: number) =>
  db
    .updateTable('totp_authenticators')
    .set({ last_step: step, last_used_at: at })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id'),
)

/** Only if the secret is still the same. */
export const replaceSecret = change((db, userId: number, old: string, sealed_secret: string) =>
  db
    .updateTable('totp_authenticators')
    .set({ sealed_secret })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', old),
)

export const noteUse = change((db, userId: number, at: number) =>
  db.updateTable('totp_authenticators').set({ last_used_at: at }).where('user_id', '=', userId),
)

export const removeAuthenticatorOfUser = whether((db, userId: number) =>
  db.deleteFrom('totp_authenticators').where('user_id', '=', userId).returning('user_id'),
)

export const addActivation = change((db, activation: Database['totp_activations']) =>
  db.insertInto('totp_activations').values(activation),
)

export const findActivation = one((db, digest: string) =>
  db.selectFrom('totp_activations').selectAll().where('digest', '=', digest),
)

/**
 * Removes and returns all open activations of a user: the first one that succeeds ends the others.
 */
export const takeActivationsOfUser = many((db, userId: number) =>
  db.deleteFrom('totp_activations').where('user_id', '=', userId).returning('digest'),
)

export const listAuthenticatorsOf = (
  handle: Handle,
  userIds: readonly number[],
): Promise<Authenticator[]> =>
  kyselyOf(handle)
    .selectFrom('totp_authenticators')
    .selectAll()
    .where('user_id', 'in', userIds)
    .execute()

export type SealedCode = Omit<Database['recovery_codes'], 'position'>

export const listCodesOfUser = many((db, userId: number) =>
  db
    .selectFrom('recovery_codes')
    .select(['user_id', 'digest', 'sealed_code'])
    .where('user_id', '=', userId)
    .orderBy('position'),
)

const countRows = one((db, userId: number) =>
  db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId),
)

export const countCodesOfUser = async (handle: Handle, userId: number): Promise<number> =>
  (await countRows(handle, userId))?.count ?? 0

export const addCodes = (handle: Handle, codes: Database['recovery_codes'][]) =>
  kyselyOf(handle).insertInto('recovery_codes').values(codes).execute()

/** Changes nothing if the code was used or resealed since it was read. */
export const replaceCode = change((db, old: SealedCode, { digest, sealed_code }: SealedCode) =>
  db
    .updateTable('recovery_codes')
    .set({ digest, sealed_code })
    .where('user_id', '=', old.user_id)
    .where('digest', '=', old.digest)
    .where('sealed_code', '=', old.sealed_code),
)

/** Of parallel uses of a code exactly one gets its row. The code has one digest per secret key. */
export async function useCode(
  handle: Handle,
  userId: number,
  digests: readonly string[],
): Promise<boolean> {
  const used = await kyselyOf(handle)
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', 'in', digests)
    .returning('digest')
    .executeTakeFirst()
  return used !== undefined
}

export const addChallenge = change((db, challenge: Database['mfa_challenges']) =>
  db.insertInto('mfa_challenges').values(challenge),
)

export const findLiveChallenge = one((db, digest: string, now: number) =>
  db
    .selectFrom('mfa_challenges')
    .selectAll()
    .where('digest', '=', digest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now),
)

/**
 * Takes one of the tries of a challenge. Parallel guesses together get no more tries than there
 * are.
 */
export const takeTry = one((db, digest: string, now: number) =>
  db
    .updateTable('mfa_challenges')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('digest', '=', digest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll(),
)

/** It cannot be met again. Its row stays until the login completes. */
export const closeChallenge = change((db, digest: string) =>
  db.updateTable('mfa_challenges').set({ tries_left: 0 }).where('digest', '=', digest),
)

/** Returns false if it was ended meanwhile. */
export const removeChallenge = whether((db, digest: string) =>
  db.deleteFrom('mfa_challenges').where('digest', '=', digest).returning('digest'),
)

export const removeChallengesBy = change((db, userId: number, method: LoginMethod) =>
  db.deleteFrom('mfa_challenges').where('user_id', '=', userId).where('method', '=', method),
)
