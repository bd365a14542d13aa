// A login as one would write it by hand: `node:http`, the same hash, and what has to be read and written, on SQLite.
// No limits, no second factor, no validation, no log: `node login-floor.js`, with DATABASE_URL.
import { hash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { loadForServer } from './packages.js'

const DAY = 86_400_000

const { verify } = loadForServer('@node-rs/argon2')
const Database = loadForServer('libsql')
const db = new Database(process.env.DATABASE_URL.slice('sqlite:'.length), { timeout: 5000 })
db.exec('pragma synchronous = full')

const findUser = db.prepare(
  'select id, password, is_active from users where username_key = ? limit 1',
)
const noteLogin = db.prepare('update users set last_login_at = ? where id = ?')
const addLogin = db.prepare(`insert into logins
  (user_id, method, session_digest, authenticated_at, created_at, last_used_at, expires_at)
  values (?1, 'password', ?2, ?3, ?3, ?3, ?4)`)

const keep = db.transaction((userId, key, now) => {
  noteLogin.run(now, userId)
  addLogin.run(userId, hash('sha256', key, 'base64url'), now, now + 14 * DAY)
})

async function logIn(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { username, password } = JSON.parse(Buffer.concat(chunks).toString())
  const user = findUser.get(username.toLowerCase())
  if (!user?.is_active || !(await verify(user.password, password))) throw new Error('refused')
  const key = randomBytes(20).toString('hex')
  keep.immediate(user.id, key, Date.now())
  return { key }
}

const server = createServer((request, response) => {
  logIn(request).then(
    (body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    (error) => response.writeHead(400).end(String(error)),
  )
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/auth/\n`)
})
