import { expect, test } from 'vitest'
import { rememberGood } from '../../src/crypto/jwt/compact.ts'
import { createJwt } from '../../src/crypto/jwt/jwt.ts'
import { sharedSecret } from '../../src/crypto/jwt/keys.ts'

/** Accepts every token that starts with "good", and counts the calls. */
function newMemory(most: number) {
  const opened: string[] = []
  const ask = rememberGood(
    (token) => {
      opened.push(token)
      return token.startsWith('good') ? { token } : null
    },
    (found) => found !== null && !found.token.endsWith('once'),
    most,
  )
  return { ask, opened }
}

test('a good token is opened once, and says the same again', () => {
  const { ask, opened } = newMemory(2)
  expect([ask('good'), ask('good')]).toEqual([{ token: 'good' }, { token: 'good' }])
  expect(opened).toEqual(['good'])
})

test('a bad token is not remembered, nor one that comes only once', () => {
  const { ask, opened } = newMemory(2)
  expect([ask('bad'), ask('bad')]).toEqual([null, null])
  expect([ask('good once'), ask('good once')]).toEqual([
    { token: 'good once' },
    { token: 'good once' },
  ])
  expect(opened).toEqual(['bad', 'bad', 'good once', 'good once'])
})

test('the memory is bounded, and keeps what comes again', () => {
  const { ask, opened } = newMemory(2)
  for (const token of ['good 1', 'good 2', 'good 3', 'good 1', 'good 4', 'good 1', 'good 2']) {
    ask(token)
  }
  expect(opened).toEqual(['good 1', 'good 2', 'good 3', 'good 4', 'good 2'])
})

test('a remembered token still expires', () => {
  const clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time }
  const rules = { issuer: null, audience: null, leewayMs: 0 }
  const jwt = createJwt(
    sharedSecret('HS256', 'a secret for this test alone, and long enough'),
    rules,
    clock,
  )
  const subject = { type: 'access', pk: 1, loginId: 1, expiresAt: clock.time + 5000 } as const
  const { token } = jwt.sign(subject)
  expect(jwt.check(token)).toMatchObject({ claims: { pk: 1 } })
  clock.time += 5000
  expect(jwt.check(token)).toEqual({ fault: 'expired' })
})

test('a token that is similar to a remembered one is refused', () => {
  const rules = { issuer: null, audience: null, leewayMs: 0 }
  const jwt = createJwt(
    sharedSecret('HS256', 'a secret for this test alone, and long enough'),
    rules,
    {
      now: () => 0,
    },
  )
  const { token } = jwt.sign({ type: 'access', pk: 1, loginId: 1, expiresAt: 5000 })
  expect(jwt.check(token)).toHaveProperty('claims')
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(jwt.check(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toHaveProperty('fault')
  }
  for (const like of [`${token}=`, ` ${token}`, `${token} `, `${token}.`, token.slice(0, -1)]) {
    expect(jwt.check(like)).toEqual({ fault: 'invalid' })
  }
})
