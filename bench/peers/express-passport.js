// Express, Passport and express-session, as Passport's tutorial combines them: PBKDF2, sessions in SQLite.
import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import { Strategy } from 'passport-local'
import { listen, openDatabase, SECRET, sameHash } from './common.js'

const derive = promisify(pbkdf2)
const MAX_AGE = 14 * 86_400_000

const pbkdf2Hash = {
  async hash(password) {
    const salt = randomBytes(16)
    const digest = await derive(password, salt, 310_000, 32, 'sha256')
    return `${salt.toString('hex')}:${digest.toString('hex')}`
  },
  async verify(password, encoded) {
    const [salt, digest] = encoded.split(':').map((part) => Buffer.from(part, 'hex'))
    return timingSafeEqual(await derive(password, salt, 310_000, 32, 'sha256'), digest)
  },
}
const { hash, verify } = sameHash ?? pbkdf2Hash

const db = openDatabase()
db.exec(`
  create table if not exists users (id integer primary key, email text not null unique,
    name text not null, password text not null);
  create table if not exists sessions (sid text primary key, data text not null,
    expires_at integer not null)`)
const addUser = db.prepare(
  'insert into users (email, name, password) values (?, ?, ?) returning id',
)
const findByEmail = db.prepare('select * from users where email = ?')
const findById = db.prepare('select id, email, name from users where id = ?')
const findSession = db.prepare('select data from sessions where sid = ? and expires_at > ?')
const putSession = db.prepare(`insert into sessions values (?, ?, ?)
  on conflict (sid) do update set data = excluded.data, expires_at = excluded.expires_at`)
const removeSession = db.prepare('delete from sessions where sid = ?')

class SqliteStore extends session.Store {
  get(sid, done) {
    const row = findSession.get(sid, Date.now())
    done(null, row ? JSON.parse(row.data) : null)
  }
  set(sid, data, done) {
    putSession.run(sid, JSON.stringify(data), Date.now() + MAX_AGE)
    done(null)
  }
  destroy(sid, done) {
    removeSession.run(sid)
    done(null)
  }
  /** Does nothing: a write for each request would cost more than the request itself. */
  touch(_sid, _data, done) {
    done(null)
  }
}

passport.use(
  new Strategy({ usernameField: 'email' }, async (email, password, done) => {
    try {
      const user = findByEmail.get(email)
      const isRight = user !== undefined && (await verify(password, user.password))
      done(null, isRight ? user : false)
    } catch (error) {
      done(error)
    }
  }),
)
passport.serializeUser((user, done) => done(null, user.id))
passport.deserializeUser((id, done) => done(null, findById.get(id) ?? false))

const shown = ({ id, email, name }) => ({ user: { id, email, name } })

const app = express()
app.use(express.json())
app.use(
  session({
    secret: SECRET,
    store: new SqliteStore(),
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: MAX_AGE },
  }),
)
app.use(passport.session())
app.post('/auth/sign-up', async (request, reply, next) => {
  const { email, name, password } = request.body
  const { id } = addUser.get(email, name, await hash(password))
  request.login({ id }, (error) => (error ? next(error) : reply.json(shown({ id, email, name }))))
})
app.post('/auth/sign-in', passport.authenticate('local'), (request, reply) => {
  reply.json(shown(request.user))
})
app.get('/auth/session', (request, reply) => {
  if (request.user) reply.json(shown(request.user))
  else reply.sendStatus(401)
})
listen(app)
