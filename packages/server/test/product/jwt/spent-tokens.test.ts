import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import { countRows } from '../../support/dump.ts'
import { decode, forge, notValid, type Pair, ROTATING, startJwt } from '../../support/jwt.ts'
import { stillClock } from '../../support/start-auth.ts'

const BLACKLISTED = notValid('Token is blacklisted')
const GRACE = { ...ROTATING, REFRESH_REUSE_GRACE: 10 }
const UNREADABLE = 'the successor of a refresh token cannot be read; its login ends'

/** What the log says about successors. */
function newLog() {
  const lines: { login: number; msg: string }[] = []
  const onLogLine = (line: string) => {
    if (line.includes(UNREADABLE)) lines.push(JSON.parse(line))
  }
  return { lines, onLogLine }
}

const successorsIn = async ({ db }: Awaited<ReturnType<typeof startJwt>>) =>
  (await db.selectFrom('spent_refresh_tokens').select('sealed_successor').execute()).map(
    ({ sealed_successor }) => sealed_successor,
  )

test.each([
  ['without a grace', ROTATING, null],
  ['with one', GRACE, expect.any(String)],
])('%s a successor is stored only if it may be asked for', async (_, SIMPLE_JWT, stored) => {
  const started = await startJwt({ SIMPLE_JWT })
  expect((await started.refresh((await started.logIn()).refresh)).status).toBe(200)
  expect(await successorsIn(started)).toEqual([stored])
})

test('a token without a login has no successor after its logout, and is refused in the grace', async () => {
  const { lines, onLogLine } = newLog()
  const started = await startJwt({ SIMPLE_JWT: GRACE }, { onLogLine })
  const { sid: _, ...claims } = decode((await started.logIn()).refresh).claims
  const foreign = forge(claims)
  const reply = await started.request.post('logout/', { refresh: foreign })
  expect(reply).toMatchReply(200, { detail: 'Successfully logged out.' })
  expect(await successorsIn(started)).toEqual([null])
  expect(await started.refresh(foreign)).toMatchReply(...BLACKLISTED)
  expect(lines).toEqual([])
})

test('a successor that cannot be read ends its login, and the log says so', async () => {
  const { lines, onLogLine } = newLog()
  const { db, logIn, refresh } = await startJwt({ SIMPLE_JWT: GRACE }, { onLogLine })
  const pair = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  expect((await refresh(pair.refresh)).body).toMatchObject({ refresh: next.refresh })
  expect(lines).toEqual([])
  await db.updateTable('spent_refresh_tokens').set({ sealed_successor: 'x' }).execute()
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  expect(lines).toMatchObject([{ login: Number(decode(pair.refresh).claims.sid), msg: UNREADABLE }])
  expect(await refresh(next.refresh)).toMatchReply(...BLACKLISTED)
})

test('after the grace the log has nothing to say', async () => {
  const { lines, onLogLine } = newLog()
  const { logIn, refresh, clock } = await startJwt({ SIMPLE_JWT: GRACE }, { onLogLine })
  const pair = await logIn()
  await refresh(pair.refresh)
  clock.advance(10_000)
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  expect(lines).toEqual([])
})

test('where the blacklist is switched off, it is not asked', async () => {
  const before = await startJwt({ SIMPLE_JWT: ROTATING }, { shared: true })
  const { sid: _, ...claims } = decode((await before.logIn()).refresh).claims
  const foreign = forge(claims)
  await before.request.post('logout/', { refresh: foreign })
  expect(await before.refresh(foreign)).toMatchReply(...BLACKLISTED)
  const SIMPLE_JWT = { TOKEN_BLACKLIST_ENABLED: false }
  const now = await startJwt({ SIMPLE_JWT }, { beside: before })
  expect((await now.refresh(foreign)).status).toBe(200)
})

/** For what only a race, a fault or an import gets to. */
async function startWithClaims() {
  const started = await startJwt({ SIMPLE_JWT: GRACE })
  const expiresAt = started.clock.now() + 1000
  const claimsOf = (jti: string) => ({
    ...{ type: 'refresh', pk: started.ada.id, loginId: null, issuedAt: 0, payload: {} },
    ...{ jti, expiresAt },
  })
  const { spentTokens } = started.auth.services
  return { ...started, spentTokens, claimsOf, expiresAt }
}

test('a token of a deleted user counts as spent, and any other fault is one', async () => {
  const { spentTokens, claimsOf, ada, db } = await startWithClaims()
  const nobody = { userId: ada.id + 1, loginId: null }
  expect(await spentTokens.spend(claimsOf('a'), nobody, null)).toBe(false)
  const own = { userId: ada.id, loginId: null }
  const broken = { ...claimsOf('a'), expiresAt: Number.NaN }
  await expect(spentTokens.spend(broken, own, null)).rejects.toThrow()
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(0)
  expect(await spentTokens.find(claimsOf('a'))).toBeNull()
  expect(await spentTokens.spend(claimsOf('a'), own, null)).toBe(true)
  expect(await spentTokens.spend(claimsOf('a'), own, null)).toBe(false)
  expect(await spentTokens.find(claimsOf('a'))).toEqual({ loginId: null, successor: null })
})

test('tokens that another service has spent are adopted once', async () => {
  const { spentTokens, claimsOf, expiresAt, handle } = await startWithClaims()
  const adopt = (...jtis: string[]) =>
    transaction(handle, (tx) =>
      spentTokens.adopt(
        jtis.map((jti) => ({ jti, expiresAt })),
        tx,
      ),
    )
  expect(await adopt()).toBe(0)
  expect(await adopt('a', 'b')).toBe(2)
  expect(await adopt('b', 'c')).toBe(1)
  for (const jti of ['a', 'b', 'c']) expect(await spentTokens.has(claimsOf(jti))).toBe(true)
  expect(await spentTokens.has(claimsOf('d'))).toBe(false)
  expect(await spentTokens.find(claimsOf('a'))).toEqual({ loginId: null, successor: null })
})

test('spent tokens stay spent if the clock was ahead by a day during a sweep', async () => {
  const settings = { SIMPLE_JWT: ROTATING }
  const first = await startJwt(settings, { shared: true })
  const { refresh: spent } = await first.logIn()
  expect((await first.refresh(spent)).status).toBe(200)
  const { sid: _, ...claims } = decode(spent).claims
  const expiresAt = claims.exp * 1000
  const foreign = forge({ ...claims, jti: 'of another service' })
  const adopted = { jti: 'of another service', expiresAt }
  await transaction(first.handle, (tx) => first.auth.services.spentTokens.adopt([adopted], tx))

  first.clock.advance(expiresAt - first.clock.now() - 1)
  const clock = stillClock(first.clock.now() + DAY)
  const ahead = await startJwt(settings, { beside: { settings: first.settings, clock } })
  await ahead.auth.sweep()
  for (const token of [spent, foreign]) {
    expect(await first.refresh(token)).toMatchReply(...BLACKLISTED)
  }
  clock.advance(1)
  await ahead.auth.sweep()
  expect(await countRows(first.db, 'spent_refresh_tokens')).toBe(0)
})
