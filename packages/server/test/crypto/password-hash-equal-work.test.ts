import { describe, expect, test } from 'vitest'
import { createHashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasherName,
  passwordHasherNames,
} from '../../src/crypto/password-hash/password-hasher.ts'
import type { Kind, Scheme } from '../../src/crypto/password-hash/scheme.ts'

/**
 * A hasher with schemes that hash nothing and only record the requested work. Their hashes
 * are `<scheme>:<cost>:<rounds>:<password>`. Hashes with the cost `broken` cannot be computed.
 */
function startRecording() {
  const work = new Map<string, number>()

  const schemeOf = (name: PasswordHasherName): Scheme => {
    const kindOf = (cost: string, rounds: number): Kind => ({
      label: `${name}:${cost}`,
      rounds,
      async derive(password, _salt, roundsAsked) {
        if (cost === 'broken') throw new Error('The package cannot be loaded.')
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

  return {
    verify,
    /** The work of `verify`, as rounds by kind. Also checks that the result is `expected`. */
    async workOf(encoded: string | null, password: string, expected: boolean) {
      work.clear()
      expect(await verify(password, encoded)).toBe(expected)
      return Object.fromEntries(work)
    },
  }
}

describe('a failed verification', () => {
  test('of nobody costs as much as one of somebody', async () => {
    const { workOf } = startRecording()
    const failure = { 'argon2:current': 1 }

    expect(await workOf('argon2:current:1:right', 'wrong', false)).toEqual(failure)
    expect(await workOf(null, 'wrong', false)).toEqual(failure)
    expect(await workOf('', 'wrong', false)).toEqual(failure)
    expect(await workOf('!unusable', 'wrong', false)).toEqual(failure)
  })

  test('costs one of every kind seen, for every user', async () => {
    const { workOf, verify } = startRecording()
    await verify('right', 'bcrypt:12:1:right')
    await verify('wrong', 'argon2:weak:1:right')
    const failure = { 'argon2:current': 1, 'argon2:weak': 1, 'bcrypt:12': 1 }

    expect(await workOf(null, 'wrong', false)).toEqual(failure)
    expect(await workOf('!unusable', 'wrong', false)).toEqual(failure)
    expect(await workOf('argon2:current:1:right', 'wrong', false)).toEqual(failure)
    expect(await workOf('argon2:weak:1:right', 'wrong', false)).toEqual(failure)
    expect(await workOf('bcrypt:12:1:right', 'wrong', false)).toEqual(failure)
  })

  test('costs a kind with rounds only as often as the dearest hash of it', async () => {
    const { workOf, verify } = startRecording()
    await verify('wrong', 'pbkdf2_sha256:x:390000:right')
    await verify('wrong', 'pbkdf2_sha256:x:1200000:right')
    await verify('wrong', 'pbkdf2_sha256:x:260000:right')
    const failure = { 'argon2:current': 1, 'pbkdf2_sha256:x': 1_200_000 }

    expect(await workOf(null, 'wrong', false)).toEqual(failure)
    expect(await workOf('pbkdf2_sha256:x:260000:right', 'wrong', false)).toEqual(failure)
    expect(await workOf('pbkdf2_sha256:x:1200000:right', 'wrong', false)).toEqual(failure)
  })

  test('learns nothing from hashes that are not accepted', async () => {
    const { workOf } = startRecording()

    expect(await workOf('scrypt:x:1:right', 'right', false)).toEqual({ 'argon2:current': 1 })
    expect(await workOf(null, 'wrong', false)).toEqual({ 'argon2:current': 1 })
  })

  test('learns nothing from hashes that cannot be computed', async () => {
    const { workOf, verify } = startRecording()
    for (const password of ['right', 'wrong']) {
      await expect(verify(password, 'bcrypt:broken:1:right')).rejects.toThrow('cannot be loaded')
    }

    expect(await workOf(null, 'wrong', false)).toEqual({ 'argon2:current': 1 })
    expect(await workOf('bcrypt:12:1:right', 'right', true)).toEqual({ 'bcrypt:12': 1 })
  })

  test('costs eight kinds at most, the preferred one always among them', async () => {
    const { workOf } = startRecording()
    for (let cost = 1; cost <= 20; cost += 1) {
      await workOf(`bcrypt:${cost}:1:right`, 'wrong', false)
    }
    const miss = await workOf(null, 'wrong', false)

    expect(Object.values(miss)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(miss).toHaveProperty('argon2:current')
    expect(miss).toHaveProperty('bcrypt:20')
    expect(await workOf('bcrypt:20:1:right', 'wrong', false)).toEqual(miss)
    expect(Object.values(await workOf('bcrypt:1:1:right', 'wrong', false))).toHaveLength(8)
  })
})

test('a right password costs its own verification and no more', async () => {
  const { workOf, verify } = startRecording()
  await verify('wrong', 'bcrypt:12:1:right')

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
  await verify('wrong', `$2b$04$${'a'.repeat(53)}`)

  expect(slotsTaken).toBe(1)
})
