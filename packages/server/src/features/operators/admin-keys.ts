import type { Scope } from '../../core/identity.ts'
import { digest } from '../../crypto/digests.ts'
import { MINUTE } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import { unlessRefused } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Context } from '../feature.ts'
import {
  type AdminKeyRow,
  addAdminKey,
  findAdminKey,
  hasAdminKey,
  listAdminKeys,
  noteAdminKeyUse,
  removeAdminKey,
} from './operators-queries.ts'

/** Recognisable, so that tools find keys that were published by mistake. */
const PREFIX = 'lkadmin_'
const KEY_BYTES = 32
/** A use is stored once a minute at most. */
const NOTED_EVERY = MINUTE
const LISTED_MAX = 1000

/** A key without its secret. */
export type AdminKey = Omit<AdminKeyRow, 'digest' | 'scopes'> & {
  readonly scopes: readonly Scope[]
}

export type NewAdminKey = Pick<AdminKey, 'name' | 'scopes'> & {
  /** Who made it, in words. No name of a user, which would outlive their account. */
  readonly createdBy: string
  readonly expiresAt: number | null
}

/** The keys of programs that use the admin API. Only digests are stored. */
export function createAdminKeys({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  return {
    /** The secret is returned once, and never again. */
    async add(given: NewAdminKey, tx: Tx): Promise<{ key: AdminKey; secret: string }> {
      const secret = `${PREFIX}${randomToken(KEY_BYTES)}`
      const added = await addAdminKey(tx, {
        name: given.name,
        digest: digest(secret),
        scopes: JSON.stringify(given.scopes),
        created_by: given.createdBy,
        created_at: clock.now(),
        expires_at: given.expiresAt,
        last_used_at: null,
      })
      return { key: shown(added), secret }
    },

    /** Returns null for a key that is unknown, revoked or expired. */
    async identify(secret: string): Promise<AdminKey | null> {
      const found = secret.startsWith(PREFIX) ? await findAdminKey(db, digest(secret)) : undefined
      if (!found) return null
      const now = clock.now()
      if (found.expires_at !== null && found.expires_at <= now) return null
      if (now >= (found.last_used_at ?? 0) + NOTED_EVERY) {
        await noteAdminKeyUse(db, found.id, now).catch(unlessRefused)
      }
      return shown(found)
    },

    /** Whether it has not been revoked. */
    isThere: (id: number, tx: Tx): Promise<boolean> => hasAdminKey(tx, id),

    /** Oldest first, including expired ones. */
    list: async (): Promise<AdminKey[]> => (await listAdminKeys(db, LISTED_MAX)).map(shown),

    /** Returns the key, or null if there is none with this id. */
    async revoke(id: number, tx: Tx): Promise<AdminKey | null> {
      const removed = await removeAdminKey(tx, id)
      return removed ? shown(removed) : null
    },
  }
}

const shown = ({ digest: _, scopes, ...row }: AdminKeyRow): AdminKey => ({
  ...row,
  scopes: JSON.parse(scopes) as Scope[],
})
