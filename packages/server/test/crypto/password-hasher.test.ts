import { describe, expect, test } from 'vitest'
import { createHashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasherName,
  passwordHasherNames,
  unusablePassword,
} from '../../src/crypto/password-hash/password-hasher.ts'

/** Long enough for hashes at full cost while the other tests run. */
const timeout = 60_000

const hasherOf = (...hashers: PasswordHasherName[]) =>
  createPasswordHasher({ hashers, slots: createHashSlots() })

describe('new hashes', () => {
  const formats: Record<PasswordHasherName, RegExp> = {
    argon2: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
    pbkdf2_sha256: /^pbkdf2_sha256\$1500000\$[0-9a-f]{32}\$[\w+/]{43}=$/,
    pbkdf2_sha1: /^pbkdf2_sha1\$1500000\$[0-9a-f]{32}\$[\w+/]{27}=$/,
    bcrypt_sha256: /^bcrypt_sha256\$\$2b\$12\$[\w./]{53}$/,
    bcrypt: /^bcrypt\$\$2b\$12\$[\w./]{53}$/,
    scrypt: /^scrypt\$16384\$[0-9a-f]{32}\$8\$5\$[\w+/]{86}==$/,
  }

  test.concurrent.for(passwordHasherNames)(
    '%s verifies what it made, and calls it current',
    { timeout },
    async (name) => {
      const { hash, verify, needsRehash } = hasherOf(name)
      const encoded = await hash(' pässwörd 🔑 ')

      expect(encoded).toMatch(formats[name])
      expect(await verify(' pässwörd 🔑 ', encoded)).toBe(true)
      expect(needsRehash(encoded)).toBe(false)
    },
  )

  test('the same password is never hashed to the same text twice', async () => {
    const { hash } = hasherOf('argon2')

    expect(await hash('correct horse')).not.toBe(await hash('correct horse'))
  })

  test('a hasher that is not listed does not verify', async () => {
    const encoded = await hasherOf('argon2').hash('correct horse')

    expect(await hasherOf('scrypt', 'argon2').verify('correct horse', encoded)).toBe(true)
    expect(await hasherOf('scrypt').verify('correct horse', encoded)).toBe(false)
  })

  test('an empty list is refused', () => {
    expect(() => hasherOf()).toThrow('PASSWORD_HASHERS')
  })
})

describe('a hash is renewed', () => {
  const argon2 = (algorithm: string, parameters: string) =>
    `$${algorithm}$${parameters}$c29tZXNhbHRzb21lc2FsdA$${'A'.repeat(43)}`
  const pbkdf2 = (iterations: number) => `pbkdf2_sha256$${iterations}$salt$${'A'.repeat(43)}=`
  const scrypt = (N: number, r: number, p: number) =>
    `scrypt$${N}$salt$${r}$${p}$${'A'.repeat(86)}==`
  const bcrypt = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`

  test.for<[PasswordHasherName, string]>([
    ['argon2', argon2('argon2id', 'v=19$m=19455,t=2,p=1')],
    ['argon2', argon2('argon2id', 'v=19$m=19456,t=1,p=1')],
    ['argon2', argon2('argon2id', 'v=16$m=19456,t=2,p=1')],
    ['argon2', argon2('argon2id', 'm=19456,t=2,p=1')],
    ['argon2', argon2('argon2i', 'v=19$m=102400,t=8,p=8')],
    ['argon2', argon2('argon2d', 'v=19$m=102400,t=8,p=8')],
    ['argon2', pbkdf2(9_000_000)],
    ['argon2', bcrypt('15')],
    ['argon2', scrypt(2 ** 16, 8, 5)],
    ['pbkdf2_sha256', pbkdf2(1_200_000)],
    ['pbkdf2_sha1', pbkdf2(1_500_000)],
    ['bcrypt', bcrypt('11')],
    ['bcrypt_sha256', bcrypt('12')],
    ['scrypt', scrypt(2 ** 13, 8, 5)],
    ['scrypt', scrypt(2 ** 14, 8, 1)],
    ['argon2', unusablePassword()],
  ])('when %s is preferred and it is the weaker or other %s', ([preferred, encoded]) => {
    expect(hasherOf(preferred, ...passwordHasherNames).needsRehash(encoded)).toBe(true)
  })

  test.for<[PasswordHasherName, string]>([
    ['argon2', argon2('argon2id', 'v=19$m=19456,t=2,p=1')],
    ['argon2', argon2('argon2id', 'v=19$m=102400,t=2,p=8')],
    ['argon2', `argon2${argon2('argon2id', 'v=19$m=102400,t=2,p=8')}`],
    ['pbkdf2_sha256', pbkdf2(2_000_000)],
    ['bcrypt', bcrypt('12')],
    ['bcrypt', `bcrypt$${bcrypt('14')}`],
    ['bcrypt_sha256', `bcrypt_sha256$${bcrypt('12')}`],
    ['scrypt', scrypt(2 ** 15, 8, 5)],
  ])('but not when %s is preferred and it is the equal or stronger %s', ([preferred, encoded]) => {
    expect(hasherOf(preferred, ...passwordHasherNames).needsRehash(encoded)).toBe(false)
  })
})

test('an unusable password is marked as in Django, and no two are alike', () => {
  expect(unusablePassword()).toMatch(/^![0-9a-f]{40}$/)
  expect(unusablePassword()).not.toBe(unusablePassword())
})
