import { expect, test } from 'vitest'
import { lastIdOf, setLastId } from '../../src/storage/reserve-ids.ts'
import { transaction } from '../../src/storage/transaction.ts'
import { twice } from '../support/accounts.ts'
import { NOT_FOUND } from '../support/answers.ts'
import { currentLogin, isSignedIn, loginsOf } from '../support/devices.ts'
import { deliver, hooksFor } from '../support/events.ts'
import { impersonationOf } from '../support/impersonation.ts'
import { decode, type Pair, ROTATING } from '../support/jwt.ts'
import { startMode } from '../support/modes.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const GROWING = ['logins', 'audit_events', 'events'] as const
/** The last id of 32 bits. */
const LAST = 2 ** 31 - 1
const NEW_PASSWORD = 'another long password 7'

/** As after many years. */
const useUpIds = ({ handle }: StartedAuth) =>
  transaction(handle, async (tx) => {
    for (const table of GROWING) await setLastId(tx, table, LAST)
  })

test('users log in, refresh, change passwords and end logins after 2^31 logins and events', async () => {
  const heard: string[] = []
  const hooks = hooksFor(({ type }) => void heard.push(type))
  const REST_AUTH = { OLD_PASSWORD_FIELD_ENABLED: true }
  const auth = await startMode('bearer', { SIMPLE_JWT: ROTATING, REST_AUTH }, { hooks })
  await useUpIds(auth)
  const [here, there] = [await auth.logIn(), await auth.logIn()]
  const { access, refresh } = here.reply.body as Pair
  expect(decode(access).claims.sid).toBe('2147483648')

  expect((await auth.request.post('token/refresh/', { refresh })).status).toBe(200)
  expect((await auth.request.post('token/refresh/', { refresh })).status).toBe(401)
  expect(await isSignedIn(here), 'a spent token that comes back ends its login').toBe(false)

  const third = await auth.logIn()
  const { id } = await currentLogin(third)
  expect((await loginsOf(there)).map((login) => login.id)).toEqual(['2147483650', '2147483649'])
  for (const nobody of ['2147483700', String(2n ** 53n), '9'.repeat(20), '1e9']) {
    expect(await there.delete(`sessions/${nobody}/`)).toMatchReply(404, NOT_FOUND)
  }
  expect(await there.delete(`sessions/${id}/`)).toMatchReply(204)
  expect(await isSignedIn(third)).toBe(false)

  const change = { old_password: PASSWORD, ...twice(NEW_PASSWORD) }
  expect((await there.post('password/change/', change)).status).toBe(200)
  await deliver(auth)
  expect(heard).toContain('passwordChanged')
  for (const table of GROWING) {
    expect(await lastIdOf(auth.handle, table), table).toBeGreaterThan(LAST)
  }
})

test('an operator can use an account then', async () => {
  const started = await startAuth({ ADMIN_IMPERSONATION: true, REST_AUTH: { USE_JWT: true } })
  const { impersonate } = await impersonationOf(started)
  await useUpIds(started)
  const { access } = await impersonate()
  const headers = { authorization: `Bearer ${access}` }
  const reply = await started.request.get('user/', { headers })
  expect(reply.body).toMatchObject({ username: 'ada' })
})
