// The floor: the same answers from a bare server, as one would write it by hand. `node:http` and one prepared
// statement for each lookup; no framework, no headers beyond the necessary ones, no validation, no limits, no log.
// It runs over the tables of the service: `node floor.js`, with DATABASE_URL and SECRET_KEY.
import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { loadForServer } from './packages.js'
import { spentKeyOf } from './people.js'

const { DATABASE_URL = '', SECRET_KEY = '' } = process.env
const DAY = 86_400
const USER = 'users.id, username, email, first_name, last_name, is_active'

const STATEMENTS = {
  byToken: `select ${USER}, tokens.last_used_at, tokens.authenticated_at
    from tokens join users on users.id = tokens.user_id where tokens.digest = $1`,
  bySession: `select ${USER}, logins.id as login_id, logins.created_at, logins.last_used_at
    from logins join users on users.id = logins.user_id where logins.session_digest = $1`,
  byLogin: `select ${USER}, logins.id as login_id, logins.created_at, logins.last_used_at
    from users left join logins on logins.user_id = users.id and logins.id = $1 where users.id = $2`,
  spend: `insert into spent_refresh_tokens (key, login_id, spent_at, expires_at)
    select $1, id, $2, $3 from logins where id = $4
    and not exists (select 1 from spent_refresh_tokens where key = $5)
    on conflict (key) do nothing returning key`,
}

const one = DATABASE_URL.startsWith('postgres') ? onPostgres() : onSqlite()
const key = createSecretKey(SECRET_KEY, 'utf8')
const HEAD = encode({ alg: 'HS256', typ: 'JWT' })

const server = createServer((request, response) => {
  answer(request).then(
    (body) => {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }
      response.writeHead(200, headers).end(text)
    },
    (error) => response.writeHead(401).end(String(error)),
  )
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/auth/\n`)
})

async function answer(request) {
  if (request.url === '/auth/user/') return asUser(await whose(request.headers))
  const body = await bodyOf(request)
  if (request.url === '/auth/token/verify/') {
    claimsOf(body.token)
    return {}
  }
  return refresh(claimsOf(body.refresh))
}

async function whose({ authorization, cookie }) {
  if (cookie) return one('bySession', [digest(cookie.slice('sessionid='.length))])
  if (authorization.startsWith('Token ')) return one('byToken', [digest(authorization.slice(6))])
  const { user_id, sid } = claimsOf(authorization.slice('Bearer '.length))
  return one('byLogin', [Number(sid), Number(user_id)])
}

function asUser(found) {
  if (!found?.is_active) throw new Error('no such user')
  const { id: pk, username, email, first_name, last_name } = found
  return { pk, username, email, first_name, last_name }
}

/** The statements of the service: the owner, and the token that is spent while its login goes on. */
async function refresh({ user_id, sid, jti, exp }) {
  const [userId, loginId] = [Number(user_id), Number(sid)]
  const owner = await one('byLogin', [loginId, userId])
  if (!owner?.is_active || owner.login_id === null) throw new Error('no such login')
  const now = Date.now()
  const jtiDigest = digest(jti)
  const key = spentKeyOf(exp * 1000, jtiDigest)
  const spent = await one('spend', [key, now, exp * 1000, loginId, jtiDigest])
  if (!spent) throw new Error('the token is spent')
  const subject = { user_id, sid }
  return { access: sign('access', 300, subject), refresh: sign('refresh', DAY, subject) }
}

function digest(secret) {
  return hash('sha256', secret, 'base64url')
}

function encode(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function sign(type, seconds, subject) {
  const iat = Math.floor(Date.now() / 1000)
  const jti = randomBytes(16).toString('hex')
  const data = `${HEAD}.${encode({ token_type: type, exp: iat + seconds, iat, jti, ...subject })}`
  return `${data}.${createHmac('sha256', key).update(data).digest('base64url')}`
}

function claimsOf(token) {
  const [head, payload, signature] = token.split('.')
  const expected = createHmac('sha256', key).update(`${head}.${payload}`).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) throw new Error('forged')
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (alg !== 'HS256' || claims.exp * 1000 <= Date.now()) throw new Error('not good any more')
  return claims
}

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** `one(name, values)` returns the first row. */
function onSqlite() {
  const Database = loadForServer('libsql')
  const db = new Database(DATABASE_URL.slice('sqlite:'.length), { timeout: 5000 })
  db.exec('pragma synchronous = full')
  const prepared = Object.entries(STATEMENTS).map(([name, text]) => {
    // `$1` becomes `?1`: plain question marks would count a repeated parameter twice.
    return [name, db.prepare(text.replaceAll('$', '?'))]
  })
  const statements = Object.fromEntries(prepared)
  return async (name, values) => statements[name].get(values)
}

function onPostgres() {
  const { Pool } = loadForServer('pg')
  const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
  return async (name, values) =>
    (await pool.query({ name, text: STATEMENTS[name], values })).rows[0]
}
