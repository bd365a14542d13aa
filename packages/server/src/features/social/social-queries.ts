import type { Insertable } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database, SocialAccount } from '../../storage/schema.ts'

type Identity = Pick<SocialAccount, 'provider' | 'issuer' | 'subject'>

export const findByIdentity = one((db, { provider, issuer, subject }: Identity) =>
  db
    .selectFrom('social_accounts')
    .selectAll()
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject),
)

type Renamed = Identity & { formerSubject: string }

/** Moves an account to the subject that its identity has now. Throws if that one is taken. */
export const renameSubject = change((db, { provider, issuer, formerSubject, subject }: Renamed) =>
  db
    .updateTable('social_accounts')
    .set({ subject })
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', formerSubject),
)

export const listAccountsOfUser = many((db, userId: number) =>
  db.selectFrom('social_accounts').selectAll().where('user_id', '=', userId).orderBy('id'),
)

/** Adds nothing if the identity already belongs to a user. */
export const addAccountIfFree = one((db, account: Insertable<Database['social_accounts']>) =>
  db
    .insertInto('social_accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const recordLogin = change((db, id: number, at: number) =>
  db.updateTable('social_accounts').set({ last_login_at: at }).where('id', '=', id),
)

export const removeAccount = one((db, userId: number, id: number) =>
  db
    .deleteFrom('social_accounts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll(),
)

export const hasAccountWithId = whether((db, id: number) =>
  db.selectFrom('social_accounts').select('id').where('id', '=', id),
)

export const listAccountsOf = (handle: Handle, userIds: readonly number[]) =>
  kyselyOf(handle)
    .selectFrom('social_accounts')
    .select(['user_id', 'provider', 'subject'])
    .where('user_id', 'in', userIds)
    .orderBy('provider')
    .orderBy('subject')
    .execute()

/** Of parallel calls with one digest exactly one gets true. */
export const spendProof = whether((db, proof: Database['spent_proofs']) =>
  db
    .insertInto('spent_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest'),
)

/** Removes a value that turned out to be no proof. */
export const forgetProof = change((db, digest: string) =>
  db.deleteFrom('spent_proofs').where('digest', '=', digest),
)
