import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { startAuth } from '../../support/start-auth.ts'

const TAKEN = { non_field_errors: ['User is already registered with this e-mail address.'] }
/** The provider shares the process with 24 logins at once, so it may be slow. */
const PATIENCE = MINUTE

async function start() {
  const idp = await startHostileProvider()
  return { idp, ...(await startAuth(idp.settings(), { outboundMs: PATIENCE })) }
}

test.each([
  ['a proved address', { email: 'ada@example.com', email_verified: true }],
  ['no address', { preferred_username: 'ada' }],
])('24 parallel first logins of one identity with %s make one user', async (_, claims) => {
  const { idp, request, db } = await start()
  idp.knowAccessToken('of-ada', { sub: 'ada', ...claims })
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      request.post('idp/', { access_token: 'of-ada' }, fromClient(i)),
    ),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ body }) => (body as { key: string }).key)).size).toBe(1)
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'social_accounts')).toBe(1)
})

test('parallel first logins of many identities with one proved address make one user', async () => {
  const { idp, request, clock, db } = await start()
  const replies = await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      const claims = { sub: `s${i}`, email: 'ada@example.com', email_verified: true }
      return request.post('idp/', { id_token: await idp.idToken(clock, claims) })
    }),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(reply).toMatchReply(400, TAKEN)
  }
  expect(await countRows(db, 'users')).toBe(1)
})

test.runIf(onPostgres)(
  'a login by an address that the user is giving up connects nothing',
  async () => {
    const idp = await startHostileProvider()
    const auth = await startAuth(idp.settings({ EMAIL_AUTHENTICATION: true }), { shared: true })
    const { request, clock, db } = auth
    await auth.createUser({ username: 'ada', email: 'old@example.com', verified: true })
    const operator = await connectBeside(auth)
    await operator.query('begin')
    await operator.query(
      `update users set email = 'new@example.com', email_key = 'new@example.com'`,
    )
    const claims = { email: 'old@example.com', email_verified: true }
    const login = request.post('idp/', { id_token: await idp.idToken(clock, claims) })
    await waitForWaiter(operator, login)
    await operator.query('commit')
    const reply = await login
    expect(reply.status).toBe(400)
    expect(reply.cookies).toEqual([])
    expect(await countRows(db, 'social_accounts')).toBe(0)
    expect(await countRows(db, 'users')).toBe(1)
  },
)
