// The users of a filled database. Everything about a user follows from their number, so a client can
// use any of millions of accounts without having logged in.
import { createHash, createHmac, hash, randomUUID } from 'node:crypto'
import { loadForServer } from './packages.js'

export const SECRET_KEY = 'a key that only the benchmark ever uses'
export const PASSWORD = 'correct horse battery staple'

/** As the service stores what it must find again, but must not know. */
export const digest = (secret) => hash('sha256', secret, 'base64url')

/** The key of a spent refresh token: its expiry, and the digest of its `jti`. */
export const spentKeyOf = (expiresAt, digest) =>
  `${expiresAt.toString(36).padStart(11, '0')}.${digest}`

export const usernameOf = (n) => `user${n}`
export const keyOf = (n) => createHash('sha1').update(`key ${n}`).digest('hex')
export const sessionOf = (n) => createHash('sha256').update(`session ${n}`).digest('base64url')

const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
const HEAD = encode({ alg: 'HS256', typ: 'JWT' })

/** A new token of the user's login, which has the number of the user. */
export function jwtOf(n, type) {
  const now = Math.floor(Date.now() / 1000)
  const subject = { user_id: String(n), sid: String(n) }
  const claims = { token_type: type, exp: now + 86_400, iat: now, jti: randomUUID(), ...subject }
  const data = `${HEAD}.${encode(claims)}`
  return `${data}.${createHmac('sha256', SECRET_KEY).update(data).digest('base64url')}`
}

/** The cost of new hashes, as the service writes it. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const argon2Options = { algorithm: 2, version: 1, outputLen: 32, ...COST }

/** The hash of everybody's password. A cheap one works only with CHEAP_HASHES (`probe.js`). */
export async function passwordHash({ cheap = false } = {}) {
  const salt = Buffer.alloc(16, 'salt')
  const options = { ...argon2Options, ...(cheap && CHEAP), salt }
  const digest = await loadForServer('@node-rs/argon2').hashRaw(PASSWORD, options)
  const [plainSalt, plainDigest] = [salt, digest].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  )
  return `$argon2id$v=19$m=19456,t=2,p=1$${plainSalt}$${plainDigest}`
}
