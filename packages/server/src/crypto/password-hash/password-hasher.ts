import { timingSafeEqual } from 'node:crypto'
import { type NativeModule, NativeModuleError } from '../../kernel/native-module.ts'
import { randomHex } from '../../kernel/random.ts'
import { argon2 } from './argon2.ts'
import { bcrypt, bcryptSha256 } from './bcrypt.ts'
import { workLeft } from './equal-work.ts'
import type { HashSlots, Turn } from './hash-slots.ts'
import { pbkdf2Sha1, pbkdf2Sha256 } from './pbkdf2.ts'
import { type HashKind, randomSalt, type Scheme, type StoredHash } from './scheme.ts'
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
   * `encoded` is null if there is no account to log in to. That takes as long as a wrong
   * password, so the duration reveals nothing. `inUse` has a specimen of every kind of hash that
   * users have.
   */
  verify(
    password: string,
    encoded: string | null,
    inUse: readonly string[],
    turn?: Turn,
  ): Promise<boolean>
  needsRehash(encoded: string): boolean
  /** Whether a password can be compared with it. `too_expensive`: it costs more than the ceiling. */
  judge(encoded: string): 'good' | 'unknown' | 'too_expensive'
  /**
   * Takes a hash of any scheme, listed or not. Returns null if no password is ever compared with
   * it.
   */
  specimenOf(encoded: string): Specimen | null
  /** For new hashes. */
  readonly newest: Specimen
}

/** What is stored about a hash, so that failed logins of other users can cost as much. */
export type Specimen = {
  /** Scheme and cost, without the rounds. */
  readonly key: string
  readonly rounds: number
  /** A hash of this kind that belongs to no user. */
  readonly specimen: string
}

const OPERATOR: Turn = { client: 'operator' }

/** The first of `hashers` makes new hashes. Only listed schemes verify; some may be `replaced`. */
export function createPasswordHasher(
  { hashers, slots }: { hashers: readonly PasswordHasherName[]; slots: HashSlots },
  replaced: Partial<Record<PasswordHasherName, Scheme>> = {},
): PasswordHasher {
  const all: Record<PasswordHasherName, Scheme> = { ...everyScheme, ...replaced }
  const accepted = hashers.map((name) => all[name])
  const [newestName] = hashers
  const [preferred] = accepted
  if (!newestName || !preferred) throw new Error('PASSWORD_HASHERS must name at least one hasher.')

  // Fails at the start. Otherwise the service would run, but nobody could register.
  preferred.native?.load()

  const { current } = preferred
  const readable = (encoded: string) => payable(readWith(accepted, encoded))

  async function verify(
    password: string,
    encoded: string | null,
    inUse: readonly string[],
  ): Promise<boolean> {
    const stored = encoded === null ? null : readable(encoded)
    if (stored && (await matches(password, stored))) return true

    const kinds = inUse.flatMap((specimen) => readable(specimen)?.kind ?? [])
    for (const kind of workLeft(current, kinds, stored?.kind ?? null)) {
      await derive(kind, password)
    }
    return false
  }

  // A verification takes one slot for all of its work. If each hash queued on its own, failures
  // would wait longer than successes under load, and take more than their share of the queue.
  return {
    hash: (password, turn = OPERATOR) => slots.run(turn, () => hashWith(preferred, password)),
    verify: (password, encoded, inUse, turn = OPERATOR) =>
      slots.run(turn, () => verify(password, encoded, inUse)),
    needsRehash: (encoded) => !payable(preferred.read(encoded))?.isCurrent,
    judge(encoded) {
      const stored = readWith(accepted, encoded)
      if (!stored) return 'unknown'
      return payable(stored) ? 'good' : 'too_expensive'
    },
    specimenOf(encoded) {
      for (const name of passwordHasherNames) {
        const stored = payable(all[name].read(encoded))
        if (stored) return specimenOf(name, stored.kind)
      }
      return null
    },
    newest: specimenOf(newestName, current),
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

function specimenOf(name: PasswordHasherName, { label, rounds, specimen }: HashKind): Specimen {
  return { key: `${name}:${label}`, rounds, specimen }
}

function readWith(schemes: readonly Scheme[], encoded: string): StoredHash | null {
  for (const scheme of schemes) {
    const stored = scheme.read(encoded)
    if (stored) return stored
  }
  return null
}

const payable = (stored: StoredHash | null): StoredHash | null =>
  stored && stored.kind.share <= 1 ? stored : null

/** If a native package is broken, only users with such a hash fail, not every wrong password. */
async function derive(kind: HashKind, password: string): Promise<void> {
  try {
    await kind.derive(password, randomSalt(), kind.rounds)
  } catch (error) {
    if (!(error instanceof NativeModuleError)) throw error
  }
}
