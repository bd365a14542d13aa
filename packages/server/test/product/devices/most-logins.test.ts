import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { isSignedIn, loginsOf } from '../../support/devices.ts'
import { type Mode, startMode } from '../../support/modes.ts'

type Started = Awaited<ReturnType<typeof startMode>>

/** Logins of Ada, who is user 1, that end so long from now. */
async function addLogins({ db, clock }: Started, count: number, expiresIn: number): Promise<void> {
  const now = clock.now()
  const login = { user_id: 1, method: 'password', session_digest: null } as const
  const device = { address: null, user_agent: null }
  const times = { created_at: now, last_used_at: now, authenticated_at: now }
  const row = { ...login, ...device, ...times, expires_at: now + expiresIn }
  await db
    .insertInto('logins')
    .values(Array.from({ length: count }, () => row))
    .execute()
}

/** Those of Ada that have not expired. */
async function countLogins({ db, clock }: Started): Promise<number> {
  const logins = db.selectFrom('logins').select('id').where('user_id', '=', 1)
  return (await logins.where('expires_at', '>', clock.now()).execute()).length
}

test.each<Mode>(['session', 'bearer'])(
  '%s mode: of parallel logins too many, exactly the oldest end',
  async (mode) => {
    const auth = await startMode(mode, {}, { shared: true })
    const beside = await startMode(mode, {}, { shared: true, beside: auth })
    await auth.createUser({ username: 'grace' })
    const grace = await auth.logIn('grace')
    const oldest = [await auth.logIn(), await auth.logIn()]
    const third = await auth.logIn()
    await addLogins(auth, 97, DAY)
    // What has expired does not count.
    await addLogins(auth, 5, -DAY)
    for (const caller of oldest) expect(await isSignedIn(caller)).toBe(true)

    const both = await Promise.all([auth.logIn(), beside.logIn()])
    for (const { reply } of both) expect(reply.status).toBe(mode === 'session' ? 204 : 200)
    for (const caller of oldest) expect(await isSignedIn(caller)).toBe(false)
    for (const caller of [third, grace, ...both]) expect(await isSignedIn(caller)).toBe(true)
    if (mode === 'bearer') {
      for (const { reply } of oldest) {
        const { refresh } = reply.body as { refresh: string }
        expect((await beside.request.post('token/refresh/', { refresh })).status).toBe(401)
      }
    }
    expect(await countLogins(auth)).toBe(100)
    expect(await loginsOf(third)).toHaveLength(100)
  },
)

test('what an older version has kept ends with the next logins', async () => {
  const auth = await startMode('session')
  await addLogins(auth, 1200, DAY)
  await auth.logIn()
  expect(await countLogins(auth)).toBe(201)
  const last = await auth.logIn()
  expect(await countLogins(auth)).toBe(100)
  expect(await isSignedIn(last)).toBe(true)
})
