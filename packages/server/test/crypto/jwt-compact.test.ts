import { createHmac, createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { compactVerifier } from '../../src/crypto/jwt/compact.ts'

const SECRET = createSecretKey(Buffer.alloc(32, 7))
const verify = compactVerifier({ algorithm: 'HS256', verifying: new Map([['', SECRET]]) })
const LONGEST = 8192

function signed(header: object, payload: string): string {
  const data = `${toBase64url(JSON.stringify({ alg: 'HS256', ...header }))}.${toBase64url(payload)}`
  return `${data}.${createHmac('sha256', SECRET).update(data).digest('base64url')}`
}

/** The length of base64 has gaps, so the header grows where needed. */
function tokenOf(length: number): string {
  for (const kid of ['', 'k', 'kk', 'kkk']) {
    const payloadLength = length - signed({ kid }, '').length
    const token = signed({ kid }, ' '.repeat(Math.floor((payloadLength * 3) / 4)))
    if (token.length === length) return token
  }
  throw new Error(`No token has ${length} characters.`)
}

const toBase64url = (text: string): string => Buffer.from(text).toString('base64url')

test('a token may have 8192 characters, and no more', () => {
  expect(tokenOf(LONGEST)).toHaveLength(LONGEST)
  expect(verify(tokenOf(LONGEST))).toBeInstanceOf(Buffer)
  expect(tokenOf(LONGEST + 1)).toHaveLength(LONGEST + 1)
  expect(verify(tokenOf(LONGEST + 1))).toBe('malformed')
})

test('a shared secret has no name, so whatever name a token gives is ignored', () => {
  for (const header of [{}, { kid: '' }, { kid: 'any' }]) {
    expect(verify(signed(header, 'x'))).toEqual(Buffer.from('x'))
  }
})
