import { algorithms } from '../../src/crypto/jwt/algorithms.ts'
import type { JwtKeys } from '../../src/crypto/jwt/keys.ts'
import { type Random, seeded } from './seeded.ts'

export type BrokenToken = {
  token: string
  /** What was done to it. */
  how: string
  /** Whether we refuse it by an additional rule, although others may accept it. */
  isStricter: boolean
}

type Part = { header: string; payload: string; signature: string }

/** Good tokens, tokens broken before signing, and tokens broken after it. The same in every run. */
export function* brokenTokens(keys: JwtKeys, now: number, count: number): Generator<BrokenToken> {
  const random = seeded(20_300_101)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const sign = createSign(keys)

  for (let index = 0; index < count; index++) {
    const [headerHow, header, strictHeader = false] = pick(headers(keys))
    const [claimsHow, claims, strictClaims = false] = pick(payloads(Math.floor(now / 1000)))
    const part = sign(header, claims)
    // Every other token stays as it was signed.
    const [changeHow, change] = random(2) === 0 ? AS_IT_IS : pick(changes)
    const token = change(part, random)
    yield {
      token,
      how: `${headerHow}, ${claimsHow}, ${changeHow}`,
      isStricter: strictHeader || strictClaims,
    }
  }
}

/** Each text is signed once, since signing takes longer than everything else. */
function createSign({ algorithm, signing }: JwtKeys) {
  const signatures = new Map<string, string>()
  const signAnew = (text: string) => algorithms[algorithm].sign(text, signing.key)

  return (header: string, payload: string): Part => {
    const [head = '', body = ''] = [header, payload].map((text) =>
      Buffer.from(text).toString('base64url'),
    )
    const text = `${head}.${body}`
    const signature = signatures.get(text) ?? signAnew(text)
    signatures.set(text, signature)
    return { header: head, payload: body, signature }
  }
}

type Case = readonly [how: string, text: string, isStricter?: boolean]

function headers({ algorithm, signing }: JwtKeys): Case[] {
  const own = { alg: algorithm, typ: 'JWT', ...(signing.kid && { kid: signing.kid }) }
  const json = (changes: object) => JSON.stringify({ ...own, ...changes })
  const good: Case[] = [
    ['our header', json({})],
    ['no typ', json({ typ: undefined })],
    ['no kid', json({ kid: undefined })],
    ['spaces', JSON.stringify(own, null, 2)],
    ['more members', json({ x: 1, jku: 'http://127.0.0.1:1/', jwk: { kty: 'oct', k: 'AA' } })],
  ]
  return [
    ...good,
    ...good,
    ...good,
    ['alg none', json({ alg: 'none' })],
    ['alg of another', json({ alg: algorithm === 'HS256' ? 'RS256' : 'HS256' })],
    ['alg in small letters', json({ alg: algorithm.toLowerCase() })],
    ['no alg', json({ alg: undefined })],
    ['alg as a list', json({ alg: [algorithm] })],
    ['crit', json({ crit: ['exp'], exp: 1 })],
    ['crit that is empty', json({ crit: [] })],
    ['crit b64', json({ crit: ['b64'], b64: true }), true],
    ['another typ', json({ typ: 'at+jwt' }), true],
    ['kid as a number', json({ kid: 1 }), true],
    ['alg twice', json({}).replace('{', `{"alg":"${algorithm}",`), true],
    ['a list', JSON.stringify([own])],
    ['no JSON', 'x'],
    ['nothing', ''],
  ]
}

function payloads(now: number): Case[] {
  const own = {
    token_type: 'access',
    exp: now + 300,
    iat: now,
    jti: '0123456789abcdef0123456789abcdef',
    user_id: '1',
  }
  const json = (changes: object) => JSON.stringify({ ...own, ...changes })
  const good: Case[] = [
    ['our claims', json({})],
    ['a user that is a number', json({ user_id: 1 })],
    ['a login', json({ sid: '7' })],
    ['no iat', json({ iat: undefined })],
    ['an nbf that has come', json({ nbf: now })],
    ['an expiry with a fraction', json({ exp: now + 0.5 })],
    ['more claims', json({ name: 'Ada', list: [1, { a: ':' }], aud: 'x', iss: 'y' })],
    ['spaces', JSON.stringify(own, null, 2)],
    ['a claim that repeats inside', json({ a: { exp: 1 } })],
  ]
  return [
    ...good,
    ...good,
    ['expired', json({ exp: now - 1 })],
    ['expires now', json({ exp: now })],
    ['no expiry', json({ exp: undefined })],
    ['an expiry that is text', json({ exp: String(now + 300) })],
    ['an expiry that is null', json({ exp: null })],
    ['an nbf in the future', json({ nbf: now + 1 })],
    ['an nbf that is text', json({ nbf: 'now' })],
    ['an iat that is text', json({ iat: 'now' })],
    ['a list', JSON.stringify([own])],
    ['a number', '1'],
    ['null', 'null'],
    ['no JSON', 'x'],
    ['JSON that is cut off', json({}).slice(0, -1)],
    ['an iat in the future', json({ iat: now + 60 }), true],
    ['an infinite expiry', json({}).replace(/"exp":\d+/, '"exp":1e400'), true],
    ['a claim twice', json({}).replace('{', '{"exp":1,'), true],
    ['no user', json({ user_id: undefined }), true],
    ['a list of users', json({ user_id: ['1'] }), true],
    ['no jti', json({ jti: undefined }), true],
    ['a login that is a number', json({ sid: 7 }), true],
    ['a byte order mark', `\uFEFF${json({})}`, true],
  ]
}

const compact = ({ header, payload, signature }: Part) => `${header}.${payload}.${signature}`
const AS_IT_IS = ['as it was signed', compact] as const

/** Replaces one character, but not the last: jose ignores its unused bits. */
function changeOne(text: string, random: Random): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const at = random(text.length - 1)
  const next = alphabet[(alphabet.indexOf(text[at] ?? 'A') + 1 + random(63)) % 64]
  return `${text.slice(0, at)}${next}${text.slice(at + 1)}`
}

const changes: readonly (readonly [string, (part: Part, random: Random) => string])[] = [
  ['another header', (p, r) => compact({ ...p, header: changeOne(p.header, r) })],
  ['another payload', (p, r) => compact({ ...p, payload: changeOne(p.payload, r) })],
  ['another signature', (p, r) => compact({ ...p, signature: changeOne(p.signature, r) })],
  ['no signature', (p) => compact({ ...p, signature: '' })],
  ['two segments', (p) => `${p.header}.${p.payload}`],
  ['four segments', (p) => `${compact(p)}.`],
  ['five segments', (p) => `${compact(p)}.AA.AA`],
  ['a signature that is cut off', (p, r) => compact(p).slice(0, -1 - r(20))],
  ['a longer signature', (p) => `${compact(p)}AAAA`],
  ['swapped segments', (p) => compact({ ...p, header: p.payload, payload: p.header })],
  ['a signature of zeros', (p) => compact({ ...p, signature: p.signature.replace(/./g, 'A') })],
  ['a stray sign', (p, r) => compact(p).replace(/./, `${'?#*!'[r(4)]}`)],
  ['JSON serialisation', (p) => JSON.stringify({ protected: p.header, ...p })],
]
