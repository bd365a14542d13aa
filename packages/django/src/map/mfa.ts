import type { Loss } from '../../../server/src/core/adopt.ts'
import type { AdoptedMfa } from '../../../server/src/features/mfa/adopt-mfa.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { DjangoAuthenticator, DjangoUser } from '../source/django-user.ts'
import type { Reading } from './part.ts'
import { unusedCodes, unusedOwnCodes } from './recovery-codes.ts'

const SECRET_UNREADABLE =
  'the secret cannot be read, because the project encrypts it with its own code; the user needs a recovery code, or latchkey user reset-mfa'

const CODES_UNREADABLE = 'they cannot be read, because the project encrypts them with its own code'

/** The second factor of a user, of allauth or of dj-rest-auth 7.2 and later. */
export function readMfa(source: DjangoUser): Reading<AdoptedMfa> {
  const given = { app: appOf(source), codes: codesOf(source) }
  const losses: Loss[] = []
  if (given.codes === null) losses.push({ what: 'recovery codes', why: CODES_UNREADABLE })
  if (given.app?.secret === null) losses.push({ what: 'second factor', why: SECRET_UNREADABLE })
  return { given, losses }
}

/** Null if the user has no authenticator app. */
export function appOf({ authenticators, ownAuthenticators }: DjangoUser): AdoptedMfa['app'] {
  const found = [...ownAuthenticators, ...authenticators].find(({ type }) => type === 'totp')
  if (!found) return null
  const { createdAt, lastUsedAt } = found
  return { secret: secretIn(found), createdAt, lastUsedAt }
}

function codesOf({ authenticators, ownAuthenticators, origin }: DjangoUser): string[] | null {
  const { codeCount: count, codeDigits: digits, ownCodeCount } = origin
  const [own] = ownAuthenticators.filter(({ type }) => type === 'recovery_codes')
  if (own) {
    const seeded = seedIn(own)
    return seeded && unusedOwnCodes({ ...seeded, count: ownCodeCount })
  }
  const [codes] = authenticators.filter(({ type }) => type === 'recovery_codes')
  if (!codes) return []
  const seeded = seedIn(codes)
  return seeded ? unusedCodes({ ...seeded, count, digits }) : migratedIn(codes)
}

/** Base32 in one case. A secret that the project has encrypted has letters of both cases. */
const SECRET = /^(?:[A-Z2-7]{16,128}|[a-z2-7]{16,128})$/

/** dj-rest-auth signs the secret, and the signature follows a colon. */
function secretIn({ data }: DjangoAuthenticator): string | null {
  if (!isObject(data) || typeof data.secret !== 'string') return null
  const secret = (data.secret.split(':')[0] ?? '').replaceAll(/[\s=]/g, '')
  return SECRET.test(secret) ? secret.toUpperCase() : null
}

/** Anything else is a seed that the project has encrypted. */
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
