import { afterAll, expect, test } from 'vitest'
import type { Registering } from '../../../src/core/hooks.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { startWithHooks } from '../../support/hooks.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'

const idp = await startHostileProvider(afterAll)
const ADA = { email: 'Ada@Example.com', email_verified: true, given_name: 'Ada', family_name: 'L' }

async function start(social: object = {}) {
  const { SOCIALACCOUNT } = idp.settings()
  const asked: Registering[] = []
  const host: { says: (registration: Registering) => void } = { says: () => {} }
  const auth = await startWithHooks(
    {
      registering(registration) {
        asked.push(registration)
        host.says(registration)
      },
    },
    { SOCIALACCOUNT: { ...(SOCIALACCOUNT as object), ...social } },
  )
  const logIn = async (claims: object) =>
    auth.request.post('idp/', { id_token: await idp.idToken(auth.clock, claims) })
  return { ...auth, asked, host, logIn }
}

test('the first login with an account elsewhere is a registration, the second is none', async () => {
  const { logIn, asked } = await start()
  expect(await logIn(ADA)).toMatchReply(200, KEY)
  expect(asked).toEqual([
    {
      fields: { username: '', email: 'ada@example.com', first_name: 'Ada', last_name: 'L' },
      method: 'social',
      address: '127.0.0.1',
    },
  ])
  expect(await logIn(ADA)).toMatchReply(200, KEY)
  expect(asked).toHaveLength(1)
})

test('refused, it leaves no user, no account, no login and no cookie', async () => {
  const { logIn, host, db, mail } = await start()
  host.says = ({ fields }) => refuse({ email: [`${fields.email} is not invited.`] })
  const reply = await logIn(ADA)
  expect(reply).toMatchReply(400, { email: ['ada@example.com is not invited.'] })
  expect(reply.cookies).toEqual([])
  for (const table of ['users', 'social_accounts', 'logins', 'audit_events'] as const) {
    expect(await countRows(db, table), table).toBe(0)
  }
  expect(await mail.letters()).toEqual([])
})

test('a hook that fails refuses with 503, and the user can try again', async () => {
  const { logIn, host, db, lines } = await start()
  host.says = () => {
    throw new Error('the directory is down')
  }
  expect(await logIn(ADA)).toMatchReply(503, UNAVAILABLE)
  expect(await countRows(db, 'users')).toBe(0)
  expect(lines.join('')).toContain('"hook":"registering"')
  host.says = () => {}
  expect(await logIn(ADA)).toMatchReply(200, KEY)
})

test('nobody asks where no account is made: for a linked address, a taken one, a closed door', async () => {
  const linking = await start({ EMAIL_AUTHENTICATION: true })
  await linking.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  expect(await linking.logIn(ADA)).toMatchReply(200, KEY)

  const taken = await start()
  await taken.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  expect((await taken.logIn(ADA)).status).toBe(400)

  const closed = await start({ SIGNUP: false })
  expect((await closed.logIn(ADA)).status).toBe(400)

  expect([...linking.asked, ...taken.asked, ...closed.asked]).toEqual([])
})
