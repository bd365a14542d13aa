import { unusedCodes, unusedOwnCodes } from '../../crypto/django/recovery-codes.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { DjangoAuthenticator, DjangoUser } from '../../storage/django/django-user.ts'

/** A second factor of the source. The secret is null if it cannot be read. */
export type FoundTotp = {
  readonly secret: string | null
  readonly createdAt: number | null
  readonly lastUsedAt: number | null
}

/** Letters of one case. What a project encrypts itself has both. */
const SECRET = /^(?:[A-Z2-7]{16,128}|[a-z2-7]{16,128})$/

/** The authenticator app of a user, of allauth or of dj-rest-auth itself. */
export function djangoTotp({ authenticators, ownAuthenticators }: DjangoUser): FoundTotp | null {
  const found = [...ownAuthenticators, ...authenticators].find(({ type }) => type === 'totp')
  if (!found) return null
  const { createdAt, lastUsedAt } = found
  return { secret: secretIn(found), createdAt, lastUsedAt }
}

/** The unused recovery codes of a user, as the user has them on paper. Null if they cannot be read. */
export function djangoCodes({
  authenticators,
  ownAuthenticators,
  origin,
}: DjangoUser): string[] | null {
  const { codeCount: count, codeDigits: digits } = origin
  const [own] = ownAuthenticators.filter(({ type }) => type === 'recovery_codes')
  if (own) {
    const seeded = seedIn(own)
    return seeded && unusedOwnCodes({ ...seeded, count })
  }
  const [codes] = authenticators.filter(({ type }) => type === 'recovery_codes')
  if (!codes) return []
  const seeded = seedIn(codes)
  return seeded ? unusedCodes({ ...seeded, count, digits }) : migratedIn(codes)
}

/** dj-rest-auth signs the secret, and the signature follows a colon. */
function secretIn({ data }: DjangoAuthenticator): string | null {
  if (!isObject(data) || typeof data.secret !== 'string') return null
  const secret = (data.secret.split(':')[0] ?? '').replaceAll(/[\s=]/g, '')
  return SECRET.test(secret) ? secret.toUpperCase() : null
}

/** A project may encrypt the seed with code of its own. */
const SEED = /^[0-9a-f]{16,}$/i

function seedIn({ data }: DjangoAuthenticator): { seed: string; usedMask: number } | null {
  if (!isObject(data) || typeof data.seed !== 'string' || !SEED.test(data.seed)) return null
  const usedMask = Number(data.used_mask ?? 0)
  return Number.isSafeInteger(usedMask) && usedMask >= 0 ? { seed: data.seed, usedMask } : null
}

function migratedIn({ data }: DjangoAuthenticator): string[] | null {
  const codes = isObject(data) ? data.migrated_codes : null
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : null
}
