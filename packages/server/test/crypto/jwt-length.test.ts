import { createHmac, createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { compactVerifier } from '../../src/crypto/jwt/compact.ts'

const SECRET = createSecretKey(Buffer.alloc(32, 7))
const verify = compactVerifier({ algorithm: 'HS256', verifying: new Map([['', SECRET]]) })
const LONGEST = 8192

/** A signed token of exactly this length. The length of base64 has gaps, so the header grows where needed. */
function tokenOf(length: number): string {
  for (const kid of ['', 'k', 'kk', 'kkk']) {
    const header = toBase64url(JSON.stringify({ alg: 'HS256', kid }))
    const payloadLength = length - header.length - 2 - 43
    if (payloadLength % 4 === 1) continue
    const payload = toBase64url(' '.repeat(Math.floor((payloadLength * 3) / 4)))
    const data = `${header}.${payload}`
    return `${data}.${createHmac('sha256', SECRET).update(data).digest('base64url')}`
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
