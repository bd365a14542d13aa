import { expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { startAuth } from '../../support/start-auth.ts'

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
