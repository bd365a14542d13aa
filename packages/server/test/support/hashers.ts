import { EventEmitter } from 'node:events'
import { argon2Costing } from '../../src/crypto/password-hash/argon2.ts'
import { bcrypt, bcryptSha256 } from '../../src/crypto/password-hash/bcrypt.ts'
import { createHashSlots, type HashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordHasherName,
} from '../../src/crypto/password-hash/password-hasher.ts'
import { pbkdf2Sha256 } from '../../src/crypto/password-hash/pbkdf2.ts'
import type { HashKind, Scheme } from '../../src/crypto/password-hash/scheme.ts'
import { scrypt } from '../../src/crypto/password-hash/scrypt.ts'

/** Real hashes at the lowest cost, since hashes at the default cost would take most of the time. */
const cheap = argon2Costing({ variant: 'argon2id', version: 19, memory: 8, passes: 1, lanes: 1 })

export const cheapHasher = (
  hashers: readonly PasswordHasherName[] = ['argon2'],
  scheme: Scheme = cheap,
  slots: HashSlots = createHashSlots(),
): PasswordHasher => createPasswordHasher({ hashers, slots }, { argon2: scheme })

/** Hashes as the service does, and records the kind and the rounds of every hash. */
export function recordingHasher(
  hashers: readonly PasswordHasherName[] = ['argon2'],
  slots: HashSlots = createHashSlots(),
) {
  const work: string[] = []
  const recorded = (kind: HashKind): HashKind => ({
    ...kind,
    derive(password, salt, rounds) {
      work.push(rounds === 1 ? kind.label : `${kind.label} × ${rounds}`)
      return kind.derive(password, salt, rounds)
    },
  })
  const recording = (scheme: Scheme): Scheme => ({
    ...scheme,
    current: recorded(scheme.current),
    read(encoded) {
      const stored = scheme.read(encoded)
      return stored && { ...stored, kind: recorded(stored.kind) }
    },
  })
  const schemes = {
    argon2: recording(cheap),
    pbkdf2_sha256: recording(pbkdf2Sha256),
    bcrypt: recording(bcrypt),
    bcrypt_sha256: recording(bcryptSha256),
    scrypt: recording(scrypt),
  }
  return { work, hasher: createPasswordHasher({ hashers, slots }, schemes) }
}

/** A hasher that is busy until it is released. It reports which requests begin and stop waiting. */
export function busyHasher() {
  const slots = createHashSlots({ parallel: 1, queue: 16 })
  const line = new EventEmitter()
  let release = () => {}
  const busy = new Promise<void>((resolve) => {
    release = resolve
  })
  void slots.run({ client: 'somebody' }, () => busy)
  const { work, hasher } = recordingHasher(['argon2'], {
    async run(turn, task) {
      const served = slots.run(turn, task)
      line.emit('come')
      try {
        return await served
      } catch (reason) {
        line.emit('leave', reason)
        throw reason
      }
    },
  })
  return { work, hasher, release, line }
}

/** Hashes as the service does. What is given to `during` runs once, while a request awaits a hash. */
export function interruptedHasher() {
  const real = cheapHasher()
  let meanwhile: (() => Promise<unknown>) | null = null
  async function interrupted<T>(hashing: Promise<T>): Promise<T> {
    const run = meanwhile
    meanwhile = null
    const hashed = await hashing
    await run?.()
    return hashed
  }
  const hasher: PasswordHasher = {
    ...real,
    hash: (...given) => interrupted(real.hash(...given)),
    verify: (...given) => interrupted(real.verify(...given)),
  }
  return {
    hasher,
    during(run: () => Promise<unknown>) {
      meanwhile = run
    },
  }
}
