// Records a filled SQLite database of the version at hand as JSON: its schema, and rows in every table.
// Run once per release, after a build, from a clean tree: `node scripts/record-filled-database.js`.
// The test `upgrade.test.ts` restores each recorded one, migrates it, and goes in by the front door.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAuth } from '../packages/server/dist/create-auth.js'
import { fromBase32 } from '../packages/server/dist/crypto/base32.js'
import { hotp } from '../packages/server/dist/crypto/totp.js'
import { buildApp } from '../packages/server/dist/http/build-app.js'
import { resolveSettings } from '../packages/server/dist/settings/resolve.js'
import { VERSION } from '../packages/server/dist/version.js'

const NOW = Date.UTC(2030, 0, 1, 12)
const DAY = 86_400_000
const PASSWORD = 'correct horse battery staple'
const clock = { now: () => NOW }
const folder = new URL('../packages/server/test/fixtures/', import.meta.url)

const settings = resolveSettings({
  SECRET_KEY: 'a secret key for tests only, long enough',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'sqlite::memory:',
  MFA_ALLOW_UNVERIFIED_EMAIL: true,
  REST_AUTH: { SESSION_LOGIN: true },
})
const auth = createAuth(settings, { clock, sendsMail: false })
await auth.migrate()
const app = await buildApp(auth)
const { db } = auth.connection

async function call(method, path, payload, headers = {}) {
  const reply = await app.inject({ method, url: `/auth/${path}`, payload, headers })
  if (reply.statusCode >= 400 && payload?.password !== 'wrong')
    throw new Error(`${path}: ${reply.body}`)
  return {
    body: reply.json(),
    cookies: Object.fromEntries(reply.cookies.map((c) => [c.name, c.value])),
  }
}

const register = (username) =>
  call('POST', 'registration/', {
    username,
    email: `${username}@example.com`,
    password1: PASSWORD,
    password2: PASSWORD,
  })

const { body: ada, cookies } = await register('ada')
const asAda = { authorization: `Token ${ada.key}` }
await call('GET', 'mfa/totp/activate/', undefined, asAda)
await call('POST', 'passkeys/register/begin/', {}, asAda)
await call('POST', 'login/', { username: 'ada', password: 'wrong' })

const { body: grace } = await register('grace')
const asGrace = { authorization: `Token ${grace.key}` }
const { body: offer } = await call('GET', 'mfa/totp/activate/', undefined, asGrace)
const code = hotp(fromBase32(offer.secret), Math.floor(NOW / 30_000), 6)
const { activation_token } = offer
const { body: mfa } = await call('POST', 'mfa/totp/activate/', { activation_token, code }, asGrace)
const { body: half } = await call('POST', 'login/', { username: 'grace', password: PASSWORD })

// What only a browser or a provider could bring, and tokens of a mode that this instance is not in.
const adaId = 1
await db
  .insertInto('passkeys')
  .values({
    user_id: adaId,
    credential_id: 'tVQ3kVhY0w0s0T1sYk3F5w',
    public_key: 'pQECAyYgASFYIA',
    sign_count: 0,
    user_verified: 1,
    backup_eligible: 1,
    backed_up: 1,
    discoverable: 1,
    transports: '["internal"]',
    name: 'Laptop',
    created_at: NOW,
    last_used_at: null,
  })
  .execute()
await db
  .insertInto('social_accounts')
  .values({
    user_id: adaId,
    provider: 'google',
    issuer: 'https://accounts.google.com',
    subject: '110169484474386276334',
    created_at: NOW,
    last_login_at: NOW,
  })
  .execute()
await db
  .insertInto('spent_proofs')
  .values({ digest: 'a'.repeat(64), expires_at: NOW + DAY })
  .execute()
await db
  .insertInto('spent_refresh_tokens')
  .values({
    digest: 'b'.repeat(64),
    login_id: 1,
    sealed_successor: null,
    spent_at: NOW,
    expires_at: NOW + DAY,
  })
  .execute()

const objects = await db
  .selectFrom('sqlite_master')
  .select(['type', 'name', 'sql'])
  .where('sql', 'is not', null)
  .where('name', 'not like', 'sqlite_%')
  .execute()
const tables = {}
for (const { type, name } of objects) {
  if (type === 'table') tables[name] = await db.selectFrom(name).selectAll().execute()
}
for (const [name, rows] of Object.entries(tables)) {
  if (rows.length === 0) throw new Error(`${name} is empty.`)
}
await app.close()

const known = {
  password: PASSWORD,
  token: ada.key,
  session: cookies.sessionid,
  totpSecret: offer.secret,
  recoveryCode: mfa.recovery_codes[0],
  ephemeralToken: half.ephemeral_token,
}
const recorded = { version: VERSION, schema: objects.map(({ sql }) => sql), known, tables }
const file = fileURLToPath(new URL(`filled-${VERSION}.json`, folder))
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
