import type { Insertable, Selectable } from 'kysely'
import { usesIn } from '../../core/last-uses.ts'
import { ownerBy } from '../../storage/owner-query.ts'
import { inserted, many, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'
import { OF_USER } from '../../storage/user-columns.ts'

export type ApiKeyRow = Selectable<Database['api_keys']>

/** Selected in addition to the columns of the owner. */
const OF_KEY = [
  'api_keys.id as key_id',
  'api_keys.scopes as key_scopes',
  'api_keys.expires_at as key_expires_at',
  'api_keys.last_used_at as key_last_used_at',
] as const

export const findOwnerOfKey = ownerBy((db, digest: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(OF_USER)
    .select(OF_KEY)
    .where('api_keys.digest', '=', digest),
)

/** Newest first, without those that have expired. */
export const listKeysOfUser = many((db, userId: number, now: number) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id', 'desc'),
)

export const addKey = inserted((db, key: Omit<Insertable<Database['api_keys']>, 'id'>) =>
  db.insertInto('api_keys').values(key).returningAll(),
)

/** Of parallel calls exactly one gets the row. */
export const removeKeyOfUser = one((db, userId: number, id: number) =>
  db.deleteFrom('api_keys').where('id', '=', id).where('user_id', '=', userId).returningAll(),
)

export const noteUses = usesIn('api_keys', 'id')
