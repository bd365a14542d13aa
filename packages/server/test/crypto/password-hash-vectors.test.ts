import { describe, expect, test } from 'vitest'
import {
  passwordHasherNames,
  unusablePassword,
} from '../../src/crypto/password-hash/password-hasher.ts'
import { cheapHasher } from '../support/hashers.ts'
import django from './vectors/password-hashes.json' with { type: 'json' }

const { vectors } = django

const { verify: verifyAmong, needsRehash } = cheapHasher(passwordHasherNames)
/** As if nobody had a hash of another kind: a failure costs no more than it has to. */
const verify = (password: string, encoded: string) => verifyAmong(password, encoded, [])

describe('hashes made by Django and the libraries beneath it', () => {
  test.concurrent.for(vectors)('$format verifies $password and nothing else', async (vector) => {
    expect(await verify(vector.password, vector.encoded)).toBe(true)
    expect(await verify(`x${vector.password}`, vector.encoded)).toBe(false)
  })

  test('spaces at the ends and the Unicode form of a password count', async () => {
    const spaced = vectorOf('pbkdf2_sha256', (password) => password !== password.trim())
    const decomposed = vectorOf('pbkdf2_sha256', (password) => password !== password.normalize())

    expect(await verify(spaced.password.trim(), spaced.encoded)).toBe(false)
    expect(await verify(decomposed.password.normalize(), decomposed.encoded)).toBe(false)
  })

  test('every byte of a long password counts, save for plain bcrypt', async () => {
    const isLong = (password: string) => password.length > 100
    const long = (format: string) => vectorOf(format, isLong)

    for (const format of ['argon2id (PHC)', 'pbkdf2_sha256', 'scrypt', 'bcrypt_sha256']) {
      const { password, encoded } = long(format)
      expect(await verify(`${password}x`, encoded), format).toBe(false)
    }
    const { password, encoded } = long('bcrypt (plain)')
    expect(await verify(`${password.slice(0, 72)}x`, encoded)).toBe(true)
    expect(await verify(password.slice(0, 71), encoded)).toBe(false)
  })

  test.concurrent.for(vectors.slice(0, 8))(
    '$format can be asked about any string',
    async (vector) => {
      for (const odd of ['', '\0', '\ud800', '\uffff'.repeat(1000)]) {
        expect(await verify(odd, vector.encoded)).toBe(false)
      }
    },
  )

  test.for([
    ['\0', 'kFi.SGxbIHEFgd4HEjnT8.JEHCbfapPZYfbP7SebBVnoS06964E0K'],
    ['a\0b', 'mJlrf.o6GtH0nyVbAQa/ku5HXVRdx.W3b2sOczbAIS0D33ZFFSiUK'],
    [`${'x'.repeat(72)}y`, 'phL02Me3K92BkcQEAg4DXe2Qu7YEYiJK4KgpsIRBsUqucwF5CVU8G'],
    ['x'.repeat(255), 'SM9OuLkKgsxv3rXZAvtv5OjJpPPnNBDdT65ZDWyCeHehZxpe.eU2e'],
    ['é'.repeat(128), 'zIMBuUUpZv3hhrcOQLFSC.9jgKvJ.5odSiKlbze9TzaaHSBq9rTqu'],
  ] as const)('bcrypt of %j is that of another library, by any name', async ([password, rest]) => {
    for (const name of ['2a', '2b', '2y']) {
      const encoded = `$${name}$04$${rest}`
      expect(await verify(password, encoded), name).toBe(true)
      expect(await verify(`z${password}`, encoded), name).toBe(false)
    }
  })

  test.for([
    // From the documentation of passlib.
    [
      'password',
      '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44',
    ],
    // From the hashlib of Python.
    [
      'Пароль-ñandú-パスワード',
      '$scrypt$ln=8,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$gwyo/qz+iiyX/1AZPlQArntoFHqttsEl/VVkjjczcFk',
    ],
    [
      'Пароль-ñandú-パスワード',
      '$scrypt$ln=4,r=1,p=2$8PHy8/T19vf4+fr7/P3+/w$sKsmopzCxN2CMrr5kf3Gi4XIgkvJNhX174alTB1bPvIPPNUh+ioAqz8e6cu5xyu+QM/+ZF7iW6ABXKmN7YEnJA',
    ],
    [
      'Пароль-ñandú-パスワード',
      '$pbkdf2-sha256$i=1000$++++//vvvv/7777/++++/w$b5NDjkX5R+sIppFhDKf4LXrcOwC97rQeElnE8veGaVw',
    ],
    [
      'Пароль-ñandú-パスワード',
      '$pbkdf2-sha256$i=1000,l=32$++++//vvvv/7777/++++/w$b5NDjkX5R+sIppFhDKf4LXrcOwC97rQeElnE8veGaVw',
    ],
    [
      'Пароль-ñandú-パスワード',
      '$pbkdf2-sha1$i=1000$++++//vvvv/7777/++++/w$7oUbFtTauAz6/H+Xb8xoMTSRutY',
    ],
    ['Пароль-ñandú-パスワード', '$pbkdf2$1000$....//vvvv/7777/..../w$7oUbFtTauAz6/H.Xb8xoMTSRutY'],
  ] as const)('%s verifies with the PHC string %s', async ([password, encoded]) => {
    expect(await verify(password, encoded)).toBe(true)
    expect(await verify(`x${password}`, encoded)).toBe(false)
  })

  test('stray bits after the salt of a bcrypt hash do not matter', async () => {
    const { password, encoded } = vectorOf('bcrypt (plain)', () => true)
    const last = encoded.charAt(28)
    const stray = encoded.slice(0, 28) + String.fromCharCode(last.charCodeAt(0) + 1)

    expect(await verify(password, stray + encoded.slice(29))).toBe(true)
  })
})

describe('what is not a hash', () => {
  const salt = 'c29tZXNhbHRzb21lc2FsdA'
  const digest = 'A'.repeat(43)

  test.concurrent.for([
    '',
    '!',
    unusablePassword(),
    'secret',
    '$',
    '$$$$$$',
    'md5$salt$5ebe2294ecd0e0f08eab7690d2a6ee69',
    'argon2',
    '$argon2id$',
    `$argon2x$v=19$m=512,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=18$m=512,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=512,t=0,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=512,t=1,p=0$${salt}$${digest}`,
    `$argon2id$v=19$m=7,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=4294967295,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=9999999,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=512,t=1$${salt}$${digest}`,
    `$argon2id$v=19$m=512,t=1,p=1$c2FsdA$${digest}`,
    `$argon2id$v=19$m=512,t=1,p=1$${salt}$`,
    `$argon2id$v=19$m=512,t=1,p=1$${salt}$${digest}\n`,
    `$argon2id$v=19$m=512,t=1,p=1$${salt}$-${digest}`,
    'pbkdf2_sha256$',
    `pbkdf2_sha256$0$salt$${digest}=`,
    `pbkdf2_sha256$-1$salt$${digest}=`,
    `pbkdf2_sha256$1e3$salt$${digest}=`,
    `pbkdf2_sha256$99999999999$salt$${digest}=`,
    `pbkdf2_sha256$1000$$${digest}=`,
    'pbkdf2_sha256$1000$salt$',
    'pbkdf2_sha256$1000$salt$AAAA',
    `pbkdf2_sha1$1000$salt$${digest}=`,
    `pbkdf2_md5$1000$salt$${digest}=`,
    'bcrypt$',
    `$2b$03$${'a'.repeat(53)}`,
    `$2b$31$${'a'.repeat(53)}`,
    `$2x$04$${'a'.repeat(53)}`,
    `$2b$04$${'a'.repeat(52)}`,
    `$2b$04$${'a'.repeat(54)}`,
    `bcrypt_sha256$2b$04$${'a'.repeat(53)}`,
    'scrypt$',
    `scrypt$1$salt$8$1$${'A'.repeat(86)}==`,
    `scrypt$1000$salt$8$1$${'A'.repeat(86)}==`,
    `scrypt$65536$salt$1$1$${'A'.repeat(86)}==`,
    `scrypt$67108864$salt$8$1$${'A'.repeat(86)}==`,
    `scrypt$256$salt$0$1$${'A'.repeat(86)}==`,
    `scrypt$256$salt$8$0$${'A'.repeat(86)}==`,
    'scrypt$256$salt$8$1$AAAA',
    `$scrypt$ln=0,r=8,p=1$${salt}$${digest}`,
    `$scrypt$ln=999,r=8,p=1$${salt}$${digest}`,
    `$scrypt$ln=8,r=8$${salt}$${digest}`,
    `$scrypt$ln=8,r=8,p=1$${salt}$AAAA`,
    `$scrypt$ln=8,r=8,p=1$${salt}$${'A'.repeat(87)}`,
    `$scrypt$ln=8,r=8,p=1$$${digest}`,
    `$pbkdf2-sha256$i=0$${salt}$${digest}`,
    `$pbkdf2-sha256$i=1000,l=64$${salt}$${digest}`,
    `$pbkdf2-sha256$i=1000$${salt}$${'A'.repeat(86)}`,
    `$pbkdf2-sha512$i=1000$${salt}$${'A'.repeat(86)}`,
    `$pbkdf2-sha1$i=1000$${salt}$${digest}`,
  ])('%j verifies nothing, not even itself, and is due for a new hash', async (encoded) => {
    expect(await verify(encoded, encoded)).toBe(false)
    expect(needsRehash(encoded)).toBe(true)
  })

  test.concurrent.for(vectors.slice(0, 8))('$format cut short verifies nothing', async (vector) => {
    for (const kept of [0.4, 0.7, 1]) {
      const cut = vector.encoded.slice(0, Math.floor(vector.encoded.length * kept) - 1)
      expect(await verify(vector.password, cut), cut).toBe(false)
    }
  })
})

function vectorOf(format: string, accepts: (password: string) => boolean) {
  const found = vectors.find((vector) => vector.format === format && accepts(vector.password))
  if (!found) throw new Error(`No such vector of ${format}.`)
  return found
}
