import { describe, expect, test } from 'vitest'
import { createHashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasherName,
  passwordHasherNames,
} from '../../src/crypto/password-hash/password-hasher.ts'
import type { HashKind, Scheme } from '../../src/crypto/password-hash/scheme.ts'
import { NativeModuleError } from '../../src/kernel/native-module.ts'

/**
 * A hasher with schemes that hash nothing and only record the requested work. Their hashes are
 * `<scheme>:<cost>:<rounds>:<password>`. Hashes with the cost `broken` cannot be computed. A cost
 * that is a number is a part of the ceiling.
 */
function startRecording() {
  const work = new Map<string, number>()

  const schemeOf = (name: PasswordHasherName): Scheme => {
    const kindOf = (cost: string, rounds: number): HashKind => ({
      label: `${name}:${cost}`,
      rounds,
      share: Number.isNaN(Number(cost)) ? 0.01 : Number(cost),
      specimen: `${name}:${cost}:${rounds}:nobody`,
      async derive(password, _salt, roundsAsked) {
        if (cost === 'broken') throw new NativeModuleError('It cannot be loaded', 'mend it', null)
        work.set(`${name}:${cost}`, (work.get(`${name}:${cost}`) ?? 0) + roundsAsked)
        return Buffer.from(password.padEnd(16))
      },
    })
    return {
      native: null,
      current: kindOf('current', 1),
      newSalt: () => Buffer.from('salt'),
      write: (_salt, digest) => `${name}:current:1:${digest.toString().trimEnd()}`,
      read(encoded) {
        const [scheme, cost = '', rounds, password = ''] = encoded.split(':')
        if (scheme !== name) return null
        const digest = Buffer.from(password.padEnd(16))
        return { kind: kindOf(cost, Number(rounds)), salt: digest, digest, isCurrent: true }
      },
    }
  }
  const schemes = Object.fromEntries(passwordHasherNames.map((name) => [name, schemeOf(name)]))
  const { verify } = createPasswordHasher(
    { hashers: ['argon2', 'bcrypt', 'pbkdf2_sha256'], slots: createHashSlots() },
    schemes,
  )

  /** What `verify` costs where users have these kinds, as rounds by kind. */
  return (inUse: readonly string[]) =>
    async (encoded: string | null, password = 'wrong', expected = false) => {
      work.clear()
      expect(await verify(password, encoded, inUse)).toBe(expected)
      return Object.fromEntries(work)
    }
}

describe('a failed verification', () => {
  test('of nobody costs as much as one of somebody', async () => {
    const workOf = startRecording()([])
    for (const encoded of ['argon2:current:1:right', null, '', '!unusable']) {
      expect(await workOf(encoded)).toEqual({ 'argon2:current': 1 })
    }
  })

  test('costs one of every kind in use, for every user, and for the first one, too', async () => {
    const workOf = startRecording()(['bcrypt:12e-2:1:nobody', 'argon2:weak:1:nobody'])
    const failure = { 'argon2:current': 1, 'argon2:weak': 1, 'bcrypt:12e-2': 1 }
    const own = ['argon2:current:1:right', 'argon2:weak:1:right', 'bcrypt:12e-2:1:right']
    for (const encoded of [null, '!unusable', ...own]) {
      expect(await workOf(encoded)).toEqual(failure)
    }
  })

  test('costs a kind with rounds only as often as the most expensive hash of it', async () => {
    const rounds = [390_000, 1_200_000, 260_000]
    const hashes = rounds.map((count) => `pbkdf2_sha256:x:${count}:right`)
    const workOf = startRecording()(hashes)
    for (const encoded of [null, ...hashes]) {
      expect(await workOf(encoded)).toEqual({ 'argon2:current': 1, 'pbkdf2_sha256:x': 1_200_000 })
    }
  })

  test('teaches nothing to the next one', async () => {
    const workOf = startRecording()([])
    expect(await workOf('bcrypt:0.5:1:right')).toEqual({ 'argon2:current': 1, 'bcrypt:0.5': 1 })
    expect(await workOf(null)).toEqual({ 'argon2:current': 1 })
  })

  test('costs nothing for kinds that are not accepted, too expensive, or cannot be computed', async () => {
    const odd = ['scrypt:x:1:right', 'bcrypt:1.1:1:right', 'bcrypt:9999:1:right']
    const workOf = startRecording()([...odd, 'bcrypt:broken:1:right'])
    for (const encoded of [null, ...odd]) {
      expect(await workOf(encoded, 'right')).toEqual({ 'argon2:current': 1 })
    }
    for (const password of ['right', 'wrong']) {
      await expect(workOf('bcrypt:broken:1:right', password)).rejects.toThrow('cannot be loaded')
    }
  })

  test('costs one and a half ceilings at most, the preferred kind and then the cheapest', async () => {
    const shares = [0.9, 0.8, 0.4, 0.2, 0.05]
    const workOf = startRecording()(shares.map((share) => `bcrypt:${share}:1:nobody`))
    const failure = {
      'argon2:current': 1,
      'bcrypt:0.05': 1,
      'bcrypt:0.2': 1,
      'bcrypt:0.4': 1,
      'bcrypt:0.8': 1,
    }
    expect(await workOf(null)).toEqual(failure)
    expect(await workOf('bcrypt:0.2:1:right')).toEqual(failure)
  })
})

test('a right password costs its own verification and no more', async () => {
  const workOf = startRecording()(['bcrypt:0.1:1:nobody'])
  expect(await workOf('argon2:current:1:right', 'right', true)).toEqual({ 'argon2:current': 1 })
})

test('one verification with all its work takes one slot', async () => {
  let slotsTaken = 0
  const { verify } = createPasswordHasher({
    hashers: passwordHasherNames,
    slots: {
      run(_turn, task) {
        slotsTaken += 1
        return task()
      },
    },
  })
  await verify('wrong', `$2b$04$${'a'.repeat(53)}`, [`$2b$05$${'a'.repeat(53)}`])

  expect(slotsTaken).toBe(1)
})
