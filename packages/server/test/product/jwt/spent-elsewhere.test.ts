import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { digest } from '../../../src/crypto/digests.ts'
import { createSealedBox } from '../../../src/crypto/sealed-box.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/all.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import { countRows } from '../../support/dump.ts'
import { open } from '../../support/filled-database.ts'
import { decode, forge, notValid, type Pair, ROTATING, startJwt } from '../../support/jwt.ts'
import { newDatabase } from '../../support/new-database.ts'
import { SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const BLACKLISTED = notValid('Token is blacklisted')
const NOW = Date.UTC(2030, 0, 1, 12)
const EXP = NOW / 1000 + 86_400
const LOGIN = 5

const tokenOf = (jti: string, more: object = { sid: String(LOGIN) }) =>
  forge({ token_type: 'refresh', exp: EXP, iat: NOW / 1000, jti, user_id: '1', ...more })

/** A database as it was before the keys of spent tokens had a time, with a user and a login. */
async function formerDatabase(spent: { jti: string; loginId: number | null; sealed?: string }[]) {
  const url = await newDatabase(true)
  const connection = open(url)
  onTestFinished(() => connection.close())
  const { db } = connection
  const changed = migrations.findIndex(({ name }) => name === '0044-keys-of-spent-tokens')
  await migrate(connection, migrations.slice(0, changed), NOW)
  await sql`insert into users (id, username, username_key, email, email_verified, first_name, last_name,
    password, is_active, joined_at) values (1, 'ada', 'ada', '', 0, '', '', '', 1, 0)`.execute(db)
  await sql`insert into logins (id, user_id, method, created_at, expires_at, last_used_at,
    authenticated_at) values (${LOGIN}, 1, 'password', ${NOW}, ${NOW * 2}, ${NOW}, ${NOW})`.execute(
    db,
  )
  for (const { jti, loginId, sealed = null } of spent) {
    // With a leeway that is no longer set.
    await sql`insert into spent_refresh_tokens (digest, login_id, user_id, sealed_successor, spent_at,
      expires_at) values (${digest(jti)}, ${loginId}, 1, ${sealed}, ${NOW}, ${EXP * 1000 + 7000})`.execute(
      db,
    )
  }
  return url
}

async function startOver(url: string, SIMPLE_JWT: object = ROTATING) {
  const settings = { DATABASE_URL: url, REST_AUTH: { USE_JWT: true }, SIMPLE_JWT }
  const auth = await startAuth(settings, { startAt: NOW })
  return {
    ...auth,
    refresh: (token: string) => auth.request.post('token/refresh/', { refresh: token }),
  }
}

test('a token that a former version has spent is refused, and its family ends', async () => {
  const { refresh, request, db } = await startOver(
    await formerDatabase([{ jti: 'a', loginId: LOGIN }]),
  )
  const verified = await request.post('token/verify/', { token: tokenOf('a') })
  expect(verified).toMatchReply(...BLACKLISTED)
  expect(await refresh(tokenOf('a'))).toMatchReply(...BLACKLISTED)
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(1)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('so it is without rotation, at a logout, and if it was made elsewhere', async () => {
  const spent = [
    { jti: 'a', loginId: LOGIN },
    { jti: 'b', loginId: null },
  ]
  const { refresh, request } = await startOver(await formerDatabase(spent), {})
  expect(await refresh(tokenOf('a'))).toMatchReply(...BLACKLISTED)
  const foreign = tokenOf('b', {})
  expect(await refresh(foreign)).toMatchReply(...BLACKLISTED)
  for (const token of [foreign, tokenOf('a')]) {
    const reply = await request.post('logout/', { refresh: token })
    expect(reply).toMatchReply(401, { detail: 'Token is blacklisted' })
  }
})

test('an instance of the former version cannot spend a token any more', async () => {
  const { db } = await startOver(await formerDatabase([]))
  const spend = sql`insert into spent_refresh_tokens (digest, login_id, user_id, spent_at, expires_at)
    values ('a', ${LOGIN}, 1, ${NOW}, ${NOW}) on conflict (digest) do nothing`
  await expect(spend.execute(db)).rejects.toThrow(/digest/)
})

test('a token that it has not spent is spent once', async () => {
  const { refresh } = await startOver(await formerDatabase([{ jti: 'a', loginId: LOGIN }]))
  expect((await refresh(tokenOf('b'))).status).toBe(200)
  expect(await refresh(tokenOf('b'))).toMatchReply(...BLACKLISTED)
})

test('within the grace the successor that it has stored is given again', async () => {
  const successor = tokenOf('next')
  const sealed = createSealedBox(SECRET_KEY, []).seal(successor, `refresh:${digest('a')}`)
  const url = await formerDatabase([{ jti: 'a', loginId: LOGIN, sealed }])
  const { refresh } = await startOver(url, { ...ROTATING, REFRESH_REUSE_GRACE: 10 })
  expect((await refresh(tokenOf('a'))).body).toMatchObject({ refresh: successor })
})

test('a token stays spent if the leeway changes', async () => {
  const first = await startJwt({ SIMPLE_JWT: ROTATING }, { shared: true })
  const { refresh } = await first.logIn()
  expect((await first.refresh(refresh)).status).toBe(200)
  for (const LEEWAY of [30, 0]) {
    const again = await startJwt({ SIMPLE_JWT: { ...ROTATING, LEEWAY } }, { beside: first })
    expect(await again.refresh(refresh)).toMatchReply(...BLACKLISTED)
    expect(await countRows(first.db, 'spent_refresh_tokens')).toBe(1)
  }
})

test('a token of ours that another service has spent is refused, whatever expiry it knows', async () => {
  const { logIn, refresh, request, auth, handle, db } = await startJwt({ SIMPLE_JWT: ROTATING })
  const { refresh: token } = await logIn()
  const { jti, exp } = decode(token).claims
  const adopted = { jti, expiresAt: exp * 1000 + 12_345 }
  await transaction(handle, (tx) => auth.services.spentTokens.adopt([adopted], tx))
  expect(await request.post('token/verify/', { token })).toMatchReply(...BLACKLISTED)
  expect(await refresh(token)).toMatchReply(...BLACKLISTED)
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(1)
})

test('if it was spent here before, its family ends as without the other service', async () => {
  const { logIn, refresh, auth, handle, db } = await startJwt({ SIMPLE_JWT: ROTATING })
  const { refresh: token } = await logIn()
  const { refresh: next } = (await refresh(token)).body as Pair
  const { jti, exp } = decode(token).claims
  const adopted = { jti, expiresAt: exp * 1000 }
  await transaction(handle, (tx) => auth.services.spentTokens.adopt([adopted], tx))
  expect(await refresh(token)).toMatchReply(...BLACKLISTED)
  expect(await countRows(db, 'logins')).toBe(0)
  expect(await refresh(next)).toMatchReply(...BLACKLISTED)
})

test('a token of another service is spent with all that have its jti', async () => {
  const { request, refresh, ada, clock } = await startJwt({ SIMPLE_JWT: ROTATING })
  const now = Math.floor(clock.now() / 1000)
  const claims = { token_type: 'refresh', iat: now, jti: 'twice', user_id: String(ada.id) }
  const [short, long] = [60, 3600].map((seconds) => forge({ ...claims, exp: now + seconds }))
  expect((await request.post('logout/', { refresh: short })).status).toBe(200)
  expect(await refresh(String(long))).toMatchReply(...BLACKLISTED)
})

test('the keys of spent tokens sort by the expiry of the tokens', async () => {
  const { logIn, refresh, clock, db } = await startJwt({ SIMPLE_JWT: ROTATING })
  for (let hour = 0; hour < 10; hour++) {
    const { refresh: token } = await logIn()
    expect((await refresh(token)).status).toBe(200)
    clock.advance(3_600_000)
  }
  const rows = await db.selectFrom('spent_refresh_tokens').select(['key', 'expires_at']).execute()
  const times = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((row) => row.expires_at)
  expect(new Set(times).size).toBe(10)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})
