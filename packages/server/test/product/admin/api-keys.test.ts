import { expect, test } from 'vitest'
import { createOperatorKey, sent, setUpApp, startAdmin } from '../../support/admin.ts'
import { KEYS } from '../../support/api-keys.ts'
import { identityOf } from '../../support/identities.ts'

const NOT_FOUND = { detail: 'Not found.' }

async function start() {
  const started = await startAdmin(KEYS)
  await started.createOperator('grace')
  const ada = await started.createUser({
    username: 'ada',
    email: 'ada@example.com',
    verified: true,
  })
  const { apiKeys } = started.auth.services
  const make = (name: string) =>
    apiKeys.create(identityOf(ada), { name, scopes: ['orders:read'], expiresAt: null })
  const made = [await make('backup'), await make('shop')]
  const works = async (secret = '') =>
    (await started.request.get('tokens/', { token: secret })).status !== 401
  return { ...started, ada, secrets: made.map(({ secret }) => secret), works }
}

test('a superuser lists the keys of a user and revokes one, with a reason', async () => {
  const started = await start()
  const { ada, secrets, works, auth } = started
  const [backup, shop] = secrets
  const { browser } = await setUpApp(started, 'grace')
  const list = await browser.get(`users/${ada.id}/tokens/`)
  expect(list.status).toBe(200)
  expect(list.body).toMatchObject({ results: [{ name: 'shop' }, { name: 'backup' }], next: null })
  for (const secret of secrets) expect(JSON.stringify(list.body)).not.toContain(secret)

  const revoke = () => browser.delete(`users/${ada.id}/tokens/1/?reason=leaked`, sent(browser))
  expect((await revoke()).status).toBe(204)
  expect([await works(backup), await works(shop)]).toEqual([false, true])
  expect(await auth.services.audit.newestOfUser(ada.id, 1)).toMatchObject([
    { event: 'api_key_revoked', operator_name: 'grace', reason: 'leaked' },
  ])
  expect(await revoke()).toMatchReply(404, NOT_FOUND)
})

test('the key of one user is not found below another one', async () => {
  const started = await start()
  const { secrets, works } = started
  const bob = await started.createUser({ username: 'bob' })
  const { browser } = await setUpApp(started, 'grace')
  const refused = await browser.delete(`users/${bob.id}/tokens/1/`, sent(browser))
  expect(refused).toMatchReply(404, NOT_FOUND)
  expect(await works(secrets[0])).toBe(true)
})

test('an admin key needs its scope, and the key of a user opens nothing here', async () => {
  const started = await start()
  const { ada, secrets, works } = started
  const program = started.newVisitor()
  const keys = `users/${ada.id}/tokens/`
  const reads = {
    headers: { authorization: `Bearer ${await createOperatorKey(started, ['read'])}` },
  }
  expect((await program.get(keys, reads)).status).toBe(200)
  expect((await program.delete(`${keys}1/`, reads)).status).toBe(403)
  for (const scheme of ['Token', 'Bearer']) {
    const headers = { authorization: `${scheme} ${secrets[0]}` }
    expect((await program.get(keys, { headers })).status).toBe(401)
    expect((await program.delete(`${keys}1/`, { headers })).status).toBe(401)
  }
  expect(await works(secrets[0])).toBe(true)
})
