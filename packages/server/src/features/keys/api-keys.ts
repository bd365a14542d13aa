import { type Identity, type KeyScope, NEVER_HERE } from '../../core/identity.ts'
import { createLastUses } from '../../core/last-uses.ts'
import { digest } from '../../crypto/digests.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import { deleteRowsOfUser } from '../../storage/rows-of-user.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import type { UpToOperators } from '../operators/feature.ts'
import { isUnproved } from '../users/proved-address.ts'
import {
  type ApiKeyRow,
  addKey,
  findOwnerOfKey,
  listKeysOfUser,
  noteUses,
  removeKeyOfUser,
} from './api-keys-queries.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

/** A key without its secret. */
export type ApiKey = Omit<ApiKeyRow, 'digest' | 'scopes'> & { readonly scopes: readonly string[] }

export type NewApiKey = {
  readonly name: string
  readonly scopes: readonly string[]
  /** Null if it never expires. */
  readonly expiresAt: number | null
}

/** Recognisable, so that tools find keys that were published by mistake. */
export const PREFIX = 'lk_'
const KEY_BYTES = 32
const KEY_FORM = /^lk_[\w-]{43}$/

/** Far more than a person needs. */
const KEYS_MAX = 50

/** What a key may do at the service itself. It never touches credentials, factors or addresses. */
const OWN_SCOPES = ['user:read'] as const satisfies readonly KeyScope[]

/**
 * The keys that users make for programs. Only digests are stored. A key survives a new password,
 * since programs would stop; everything that ends all credentials of a user ends their keys, too.
 */
export function createApiKeys(house: UpToOperators) {
  const { db, clock, log, users, provedAddress, audit, outbox, events, settings } = house
  const { requiredFactor } = house
  const scopes: readonly string[] = [...OWN_SCOPES, ...settings.API_KEY_SCOPES]
  const lastUses = createLastUses({ db, clock, log, noteUses })

  return {
    /** The scopes that a key can have. */
    scopes,

    async identify(secret: string): Promise<Identity> {
      if (!KEY_FORM.test(secret)) throw problem('invalid_token')
      const found = await findOwnerOfKey(db, requiredFactor, digest(secret))
      if (!found) throw problem('invalid_token')
      const { key_id: id, key_expires_at: expiresAt } = found
      if (expiresAt !== null && expiresAt <= clock.now()) throw problem('invalid_token')
      if (!found.is_active) throw problem('user_inactive_or_deleted')
      // Such a key cannot set up a factor either, so it can do nothing at all.
      if (await requiredFactor.restrictionOf(found)) throw problem('mfa_setup_required')
      lastUses.note(id, found.key_last_used_at)
      return {
        user: found,
        via: 'token',
        loginId: null,
        authenticatedAt: NEVER_HERE,
        expiresAt,
        restriction: { kind: 'api_key', scopes: declared(found.key_scopes) },
      }
    },

    /** The faults of what the new key is to be. */
    check: ({ expiresAt }: Pick<NewApiKey, 'expiresAt'>): { expires_at?: Fault[] } =>
      expiresAt !== null && expiresAt <= clock.now()
        ? { expires_at: [fault('expires_in_the_past')] }
        : {},

    /** The secret is returned once, and never again. */
    async create(identity: Identity, given: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
      const { user } = identity
      const { name, expiresAt } = given
      const now = clock.now()
      const secret = `${PREFIX}${randomToken(KEY_BYTES)}`
      return transaction(db, async (tx) => {
        // The row of the user is locked, so that parallel requests cannot exceed the limit.
        const current = await users.stillSignedIn(identity, tx)
        provedAddress.mustBeThere(current)
        const held = await listKeysOfUser(tx, user.id, now)
        if (held.length >= KEYS_MAX) throw tooManyKeys()
        const added = await addKey(tx, {
          user_id: user.id,
          name,
          digest: digest(secret),
          scopes: JSON.stringify(given.scopes),
          created_at: now,
          expires_at: expiresAt,
          added_unproved: isUnproved(current),
        })
        const details = { key: added.id }
        await audit.record({ userId: user.id, event: 'api_key_created', details }, tx)
        await outbox.notify(current, 'api-key-added', tx)
        await events.note('apiKeysChanged', current, { change: 'created', key: added.id, name }, tx)
        return { key: shown(added), secret }
      })
    },

    /** Newest first, without those that have expired. */
    async listOf({ id }: Pick<User, 'id'>): Promise<ApiKey[]> {
      await lastUses.flush()
      return (await listKeysOfUser(db, id, clock.now())).map(shown)
    },

    /** Null stands for the user. */
    async revoke(user: User, id: number, operator: Operator | null, tx: Tx): Promise<void> {
      const current = await users.lock(user.id, tx)
      const key = await removeKeyOfUser(tx, user.id, id)
      if (!current || !key) throw problem('not_found')
      const details = { key: key.id }
      await audit.record({ userId: user.id, event: 'api_key_revoked', details, operator }, tx)
      const { name } = key
      await events.note('apiKeysChanged', current, { change: 'revoked', key: key.id, name }, tx)
    },

    revokeAll: (userId: number, tx: Tx): Promise<void> => deleteRowsOfUser(tx, 'api_keys', userId),

    /** Writes when keys were last used. */
    worker: lastUses.worker,
  }

  /** A scope that the settings no longer declare is void. */
  function declared(stored: string): string[] {
    return (JSON.parse(stored) as string[]).filter((scope) => scopes.includes(scope))
  }

  function shown({ digest: _, scopes: stored, ...row }: ApiKeyRow): ApiKey {
    return { ...row, scopes: declared(stored) }
  }
}

export const tooManyKeys = () => problem('too_many_api_keys', { max: KEYS_MAX })
