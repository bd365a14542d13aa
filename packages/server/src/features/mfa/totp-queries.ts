import { deleteOldest } from '../../storage/delete-oldest.ts'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { keepYoungest } from '../../storage/keep-youngest.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

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

export const forgetExpiredActivations = (
  handle: Handle,
  now: number,
  most: number,
): Promise<number> =>
  deleteOldest(handle, { table: 'totp_activations', key: 'digest', time: 'expires_at' }, now, most)

export const keepYoungestActivations = (
  handle: Handle,
  userId: number,
  count: number,
): Promise<void> => keepYoungest(handle, 'totp_activations', userId, count)

export const listAuthenticatorsOf = (
  handle: Handle,
  userIds: readonly number[],
): Promise<Authenticator[]> =>
  kyselyOf(handle)
    .selectFrom('totp_authenticators')
    .selectAll()
    .where('user_id', 'in', userIds)
    .execute()
