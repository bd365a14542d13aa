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
import { jwtVerify } from 'jose'
import { createVerifier } from '../packages/server/dist/verify.js'
import { drive } from './lib/client.js'
import { onEach, prepareDatabase } from './lib/databases.js'
import { median } from './lib/numbers.js'
import { SECRET_KEY } from './lib/people.js'
import { INTROSPECTION_KEY, scripts } from './lib/requests.js'
import { startService } from './lib/server.js'

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const CHECKS = 400

const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
const ed25519 = () => generateKeyPairSync('ed25519').privateKey
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const KINDS = {
  HS256: { key: createSecretKey(SECRET_KEY, 'utf8') },
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

await onEach(['sqlite'], async (url, folder) => {
  await prepareDatabase(url, folder, { to: 10 })
  const env = { DATABASE_URL: url, SECRET_KEY, INTROSPECTION_KEY }
  const service = await startService(env, folder)
  try {
    const asked = { url: service.url, script: () => scripts.introspect(1), connections: 1 }
    await drive({ ...asked, seconds: 1 })
    const { latencies } = await drive({ ...asked, seconds: 1 })
    const micros = (median(latencies) * 1000).toFixed(0)
    process.stdout.write(`introspect/, one after the other: ${micros} µs\n`)
  } finally {
    await service.stop()
  }
})
