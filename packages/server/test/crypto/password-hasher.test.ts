import { describe, expect, test } from 'vitest'
import { createHashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasherName,
  passwordHasherNames,
  unusablePassword,
} from '../../src/crypto/password-hash/password-hasher.ts'
import { pbkdf2Sha1, pbkdf2Sha256 } from '../../src/crypto/password-hash/pbkdf2.ts'
import type { HashKind, Scheme } from '../../src/crypto/password-hash/scheme.ts'

const hasherOf = (...hashers: PasswordHasherName[]) =>
  createPasswordHasher(
    { hashers, slots: createHashSlots() },
    { pbkdf2_sha256: hurried(pbkdf2Sha256), pbkdf2_sha1: hurried(pbkdf2Sha1) },
  )

/** With a thousandth of the rounds, which would take seconds. The text of a hash names all of them. */
function hurried(scheme: Scheme): Scheme {
  const hurry = (kind: HashKind): HashKind => ({
    ...kind,
    derive: (password, salt, rounds) => kind.derive(password, salt, rounds / 1000),
  })
  return {
    ...scheme,
    current: hurry(scheme.current),
    read(encoded) {
      const stored = scheme.read(encoded)
      return stored && { ...stored, kind: hurry(stored.kind) }
    },
  }
}

describe('new hashes', () => {
  const formats: Record<PasswordHasherName, RegExp> = {
    argon2: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
    pbkdf2_sha256: /^pbkdf2_sha256\$1500000\$[\w-]{22}\$[\w+/]{43}=$/,
    pbkdf2_sha1: /^pbkdf2_sha1\$1500000\$[\w-]{22}\$[\w+/]{27}=$/,
    bcrypt_sha256: /^bcrypt_sha256\$\$2b\$12\$[\w./]{53}$/,
    bcrypt: /^bcrypt\$\$2b\$12\$[\w./]{53}$/,
    scrypt: /^scrypt\$16384\$[\w-]{22}\$8\$5\$[\w+/]{86}==$/,
  }

  test.concurrent.for(passwordHasherNames)(
    '%s verifies what it made, and calls it current',
    async (name) => {
      const { hash, verify, needsRehash } = hasherOf(name)
      const encoded = await hash(' pässwörd 🔑 ')

      expect(encoded).toMatch(formats[name])
      // Django's column, where the name of the hasher comes first.
      const prefix = encoded.startsWith('$') ? name : ''
      expect(`${prefix}${encoded}`.length).toBeLessThanOrEqual(128)
      expect(await verify(' pässwörd 🔑 ', encoded, [])).toBe(true)
      expect(needsRehash(encoded)).toBe(false)
    },
  )

  test('the same password is never hashed to the same text twice', async () => {
    const { hash } = hasherOf('argon2')

    expect(await hash('correct horse')).not.toBe(await hash('correct horse'))
  })

  test('a hasher that is not listed does not verify', async () => {
    const encoded = await hasherOf('argon2').hash('correct horse')

    expect(await hasherOf('scrypt', 'argon2').verify('correct horse', encoded, [])).toBe(true)
    expect(await hasherOf('scrypt').verify('correct horse', encoded, [])).toBe(false)
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
    // Django could not read it.
    ['pbkdf2_sha256', `$pbkdf2-sha256$i=2000000$c29tZXNhbHQ$${'A'.repeat(43)}`],
    ['scrypt', `$scrypt$ln=15,r=8,p=5$c29tZXNhbHQ$${'A'.repeat(43)}`],
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

describe('a hash may cost', () => {
  const text = 'A'.repeat(86)
  const costing = {
    pbkdf2: (rounds: number) => `pbkdf2_sha256$${rounds}$salt$${text.slice(0, 43)}=`,
    pbkdf2Sha1: (rounds: number) => `pbkdf2_sha1$${rounds}$salt$${text.slice(0, 27)}=`,
    bcrypt: (cost: number) => `bcrypt_sha256$$2b$${cost}$${'a'.repeat(53)}`,
    argon2: (m: number, t: number, p: number) =>
      `argon2$argon2id$v=19$m=${m},t=${t},p=${p}$${text.slice(0, 22)}$${text.slice(0, 43)}`,
    scrypt: (N: number, r: number, p: number) => `scrypt$${N}$salt$${r}$${p}$${text}==`,
    phcScrypt: (ln: number, r: number, p: number) =>
      `$scrypt$ln=${ln},r=${r},p=${p}$${text.slice(0, 22)}$${text.slice(0, 43)}`,
    phcPbkdf2: (i: number) => `$pbkdf2-sha256$i=${i}$${text.slice(0, 22)}$${text.slice(0, 43)}`,
  }
  const { judge, specimenOf } = hasherOf(...passwordHasherNames)

  test.for([
    // Django's defaults today, and after several more versions.
    costing.pbkdf2(1_500_000),
    costing.pbkdf2(4_500_000),
    costing.pbkdf2Sha1(4_500_000),
    costing.argon2(102_400, 2, 8),
    costing.scrypt(2 ** 14, 8, 5),
    costing.bcrypt(12),
    // What projects set themselves, and what OWASP and libsodium recommend.
    costing.bcrypt(15),
    costing.argon2(2 ** 17, 4, 12),
    costing.argon2(2 ** 18, 3, 1),
    costing.scrypt(2 ** 17, 8, 1),
    costing.scrypt(2 ** 16, 8, 5),
    costing.phcScrypt(17, 8, 1),
    costing.phcPbkdf2(600_000),
  ])('what deployments use: %s', (encoded) => {
    expect(judge(encoded)).toBe('good')
    const { specimen = '', ...kind } = specimenOf(encoded) ?? {}
    expect(specimen).not.toBe('')
    expect(specimenOf(specimen)).toEqual({ specimen, ...kind })
  })

  test.for([
    costing.pbkdf2(10_000_000),
    costing.pbkdf2(100_000_000),
    costing.pbkdf2(2_147_483_647),
    costing.pbkdf2Sha1(10_000_000),
    costing.bcrypt(16),
    costing.bcrypt(20),
    costing.bcrypt(31),
    costing.argon2(2 ** 21, 999, 1),
    costing.argon2(2 ** 21, 1, 4),
    costing.argon2(8, 999_999_999, 1),
    costing.argon2(2 ** 19, 1, 999),
    costing.scrypt(2 ** 26, 8, 1),
    costing.scrypt(2 ** 14, 8, 999),
    costing.scrypt(2, 999_999_999, 1),
    costing.scrypt(2, 2 ** 21, 1),
    costing.scrypt(2, 1, 2 ** 21),
    costing.scrypt(2 ** 49, 8, 999_999_999),
    costing.phcScrypt(26, 8, 1),
    costing.phcScrypt(63, 8, 999_999_999),
    costing.phcPbkdf2(2_147_483_647),
  ])('no more than its ceiling: %s', async (encoded) => {
    expect(judge(encoded)).toBe('too_expensive')
    expect(specimenOf(encoded)).toBeNull()
  })
})

test('an unusable password is marked as in Django, and no two are alike', () => {
  expect(unusablePassword()).toMatch(/^![0-9a-f]{40}$/)
  expect(unusablePassword()).not.toBe(unusablePassword())
})
