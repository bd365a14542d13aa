import { timingSafeEqual } from 'node:crypto'
import type { NativeModule } from '../../kernel/native-module.ts'
import { randomHex } from '../../kernel/random.ts'
import { argon2 } from './argon2.ts'
import { bcrypt, bcryptSha256 } from './bcrypt.ts'
import { createEqualWork } from './equal-work.ts'
import type { HashSlots, Turn } from './hash-slots.ts'
import { pbkdf2Sha1, pbkdf2Sha256 } from './pbkdf2.ts'
import { randomSalt } from './salts.ts'
import type { Scheme, StoredHash } from './scheme.ts'
import { scrypt } from './scrypt.ts'

const everyScheme = {
  argon2,
  pbkdf2_sha256: pbkdf2Sha256,
  pbkdf2_sha1: pbkdf2Sha1,
  bcrypt_sha256: bcryptSha256,
  bcrypt,
  scrypt,
} satisfies Record<string, Scheme>

export type PasswordHasherName = keyof typeof everyScheme

/** The names that `PASSWORD_HASHERS` may list, and its default. */
export const passwordHasherNames = Object.keys(everyScheme) as PasswordHasherName[]

/** The native packages that these schemes need, without duplicates. */
export function nativeModulesOf(hashers: readonly PasswordHasherName[]): NativeModule[] {
  const all = hashers.map((name) => everyScheme[name].native)
  return [...new Set(all)].filter((native) => native !== null)
}

/**
 * Passwords are hashed exactly as given: not trimmed, not normalised, not cut. Only commands of the
 * operator omit `turn`; no client waits for those.
 */
export type PasswordHasher = {
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * `encoded` is null if nobody could log in. This takes as long as a wrong password, so that the
   * time does not tell.
   */
  verify(password: string, encoded: string | null, turn?: Turn): Promise<boolean>
  needsRehash(encoded: string): boolean
  /** Whether a password can be compared with it. */
  knows(encoded: string): boolean
}

const OPERATOR: Turn = { client: 'operator' }

/** The first of `hashers` makes new hashes. Only listed schemes verify; some may be `replaced`. */
export function createPasswordHasher(
  { hashers, slots }: { hashers: readonly PasswordHasherName[]; slots: HashSlots },
  replaced: Partial<Record<PasswordHasherName, Scheme>> = {},
): PasswordHasher {
  const accepted = hashers.map((name) => replaced[name] ?? everyScheme[name])
  const [preferred] = accepted
  if (!preferred) throw new Error('PASSWORD_HASHERS must name at least one hasher.')

  // Fails at the start: otherwise the service would run, but nobody could register.
  preferred.native?.load()

  const equalWork = createEqualWork(preferred.current)

  function read(encoded: string): StoredHash | null {
    for (const scheme of accepted) {
      const stored = scheme.read(encoded)
      if (stored) return stored
    }
    return null
  }

  async function verify(password: string, encoded: string | null): Promise<boolean> {
    const stored = encoded === null ? null : read(encoded)
    const isRight = stored !== null && (await matches(password, stored))
    // A kind is learned only after it could be computed. If its package is broken, only users with
    // such a hash fail, not every wrong password.
    if (stored) equalWork.learn(stored.kind)
    if (isRight) return true

    for (const kind of equalWork.leftAfter(stored?.kind ?? null)) {
      await kind.derive(password, randomSalt(), kind.rounds)
    }
    return false
  }

  // A verification takes one slot for all of its work. If each hash queued on its own, failures
  // would wait longer than successes under load, and take more than their share of the queue.
  return {
    hash: (password, turn = OPERATOR) => slots.run(turn, () => hashWith(preferred, password)),
    verify: (password, encoded, turn = OPERATOR) =>
      slots.run(turn, () => verify(password, encoded)),
    needsRehash: (encoded) => !preferred.read(encoded)?.isCurrent,
    knows: (encoded) => read(encoded) !== null,
  }
}

/** A value that no password matches, as in Django: no scheme reads a hash that begins with `!`. */
export const unusablePassword = (): string => `!${randomHex(20)}`

export const isUsablePassword = (encoded: string): boolean => !encoded.startsWith('!')

async function hashWith({ current, newSalt, write }: Scheme, password: string): Promise<string> {
  const salt = newSalt()
  return write(salt, await current.derive(password, salt, current.rounds))
}

async function matches(password: string, { kind, salt, digest }: StoredHash): Promise<boolean> {
  return timingSafeEqual(await kind.derive(password, salt, kind.rounds), digest)
}
