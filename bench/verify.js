// What another service pays to check a token: `latchkey/verify` and jose in this process, and
// `introspect/` over HTTP on this machine. The program must be built.
//
// Every algorithm is measured twice: with tokens that were never seen before, and with one token that
// comes again, as it does from every client. jose remembers nothing.
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { createVerifier } from '../packages/server/dist/verify.js'
import { createUser, logIn, median, start, thisProgram } from './service.js'

const SECRET = 'a key that only the benchmark ever uses'
const ROUNDS = Number(process.env.ROUNDS ?? 15)
const CHECKS = 400

const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
const ed25519 = () => generateKeyPairSync('ed25519').privateKey
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const KINDS = {
  HS256: { key: createSecretKey(SECRET, 'utf8') },
  RS256: { key: rsa(), digest: 'sha256' },
  ES256: { key: p256(), digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { key: ed25519(), digest: null },
}

let count = 0

function newToken(alg, { key, digest, dsaEncoding }) {
  const now = Math.floor(Date.now() / 1000)
  const jti = String(++count).padStart(32, '0')
  const claims = { token_type: 'access', exp: now + 3600, iat: now, jti, user_id: '1', sid: '1' }
  const data = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  const signature =
    key.type === 'secret'
      ? createHmac('sha256', key).update(data).digest()
      : sign(digest, Buffer.from(data), { key, dsaEncoding })
  return `${data}.${signature.toString('base64url')}`
}

/** Microseconds of CPU time for one check, the median of many short rounds. */
async function costOf(check, tokensOfRound) {
  const costs = []
  for (let round = 0; round <= ROUNDS; round++) {
    const tokens = tokensOfRound()
    const before = process.cpuUsage()
    for (const token of tokens) await check(token)
    const { user, system } = process.cpuUsage(before)
    // The first round only warms up.
    if (round > 0) costs.push((user + system) / tokens.length)
  }
  return `${median(costs).toFixed(1)} µs`
}

const table = {}
for (const [alg, kind] of Object.entries(KINDS)) {
  const key = kind.key.type === 'secret' ? kind.key : createPublicKey(kind.key)
  const verify = createVerifier({ key })
  const jose = (token) => jwtVerify(token, key, { algorithms: [alg] })
  const fresh = () => Array.from({ length: CHECKS }, () => newToken(alg, kind))
  const again = Array.from({ length: CHECKS }, (_, index) => index).fill(newToken(alg, kind))
  table[alg] = {
    'verify, new token': await costOf(verify, fresh),
    'verify, again': await costOf(verify, () => again),
    'jose, new token': await costOf(jose, fresh),
    'jose, again': await costOf(jose, () => again),
  }
}
for (const [alg, costs] of Object.entries(table)) {
  const shown = Object.entries(costs).map(([what, cost]) => `${what} ${cost.padStart(8)}`)
  process.stdout.write(`${alg}: ${shown.join(' · ')}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'latchkey-verify-'))
const env = {
  PATH: process.env.PATH,
  DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
  SECRET_KEY: SECRET,
  INTROSPECTION_KEY: 'another key that only the benchmark uses',
  PORT: '0',
}
await createUser(thisProgram, { env })
const { child, url } = await start([thisProgram, 'serve'], { env, log: join(folder, 'log.txt') })
try {
  const { key } = await logIn(url)
  const agent = new Agent({ keepAlive: true })
  const times = []
  for (let index = 0; index < CHECKS * 2; index++) {
    const began = process.hrtime.bigint()
    await introspect(url, agent, key, env.INTROSPECTION_KEY)
    times.push(Number(process.hrtime.bigint() - began) / 1000)
  }
  agent.destroy()
  process.stdout.write(
    `introspect/, one after the other: ${median(times.slice(CHECKS)).toFixed(0)} µs\n`,
  )
} finally {
  child.kill()
  await rm(folder, { recursive: true, force: true })
}

function introspect(url, agent, token, key) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const call = request(`${url}introspect/`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () =>
        text.includes('"active":true')
          ? resolve()
          : reject(new Error(`${answer.statusCode} ${text}`)),
      )
    })
    call.on('error', reject)
    call.end(JSON.stringify({ token }))
  })
}
