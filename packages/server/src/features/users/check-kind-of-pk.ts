import type { Settings } from '../../settings/settings.ts'
import { SettingsError } from '../../settings/settings-error.ts'
import type { Db } from '../../storage/handle.ts'
import { findNewestUser } from './users-queries.ts'

/**
 * Stops the start if the users have another kind of pk than `USER_PK` says. Clients keep the pk of
 * a user, so it never changes.
 */
export async function checkKindOfPk(db: Db, wanted: Settings['USER_PK']): Promise<void> {
  const newest = await findNewestUser(db)
  if (!newest) return
  const kind = newest.uuid === null ? 'integer' : 'uuid'
  if (kind === wanted) return
  const has = kind === 'uuid' ? 'UUIDs' : 'numbers'
  throw new SettingsError([
    `USER_PK: got "${wanted}", but the users in the database have ${has}; set it to "${kind}"`,
  ])
}
