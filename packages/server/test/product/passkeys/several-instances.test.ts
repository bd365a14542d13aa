import { expect, test } from 'vitest'
import { createAuthenticator } from '../../support/authenticator.ts'
import { countRows } from '../../support/dump.ts'
import { beginLogin, beginRegistration, registered } from '../../support/passkeys.ts'
import { seeded } from '../../support/seeded.ts'
import { startAuth } from '../../support/start-auth.ts'

const CEREMONIES = 30
/** More than the connections of all instances, ten each. */
const CROWD = 40
const SEED = 2030

/** Three instances with one database, and a load balancer that sends each request to any of them. */
async function startThree() {
  const first = await startAuth({}, { shared: true })
  const others = [await startAuth({}, { beside: first }), await startAuth({}, { beside: first })]
  const clients = [first, ...others].map(({ request }) => request)
  const random = seeded(SEED)
  const any = () => clients[random(clients.length)] ?? first.request
  return { ...first, any }
}

test('every ceremony succeeds, on any instance', async () => {
  const { any, createUserWithToken, db } = await startThree()
  const token = await createUserWithToken('ada')
  const before = await countRows(db, 'logins')
  const statuses: number[] = []
  for (let i = 0; i < CEREMONIES / 2; i++) {
    const authenticator = createAuthenticator()
    const credential = authenticator.create(await beginRegistration(any(), token))
    const made = await any().post('passkeys/register/complete/', { credential }, { token })
    const login = await beginLogin(any(), i % 2 ? { username: 'ada' } : {})
    const body = { credential: authenticator.get(login), session_id: login.session_id }
    const used = await any().post('passkeys/login/complete/', body)
    statuses.push(made.status, used.status)
  }
  expect(statuses).toEqual(Array.from({ length: CEREMONIES }, (_, i) => (i % 2 ? 200 : 201)))
  expect(await countRows(db, 'logins')).toBe(before + CEREMONIES / 2)
})

test('of many parallel completions of one login, over all instances, one succeeds', async () => {
  const { any, createUserWithToken, db } = await startThree()
  const authenticator = await registered(any(), await createUserWithToken('ada'))
  const options = await beginLogin(any())
  const body = { credential: authenticator.get(options), session_id: options.session_id }
  const before = await countRows(db, 'logins')
  const replies = await Promise.all(
    Array.from({ length: CROWD }, () => any().post('passkeys/login/complete/', body)),
  )
  const statuses = replies.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array(CROWD - 1).fill(400)])
  expect(await countRows(db, 'logins')).toBe(before + 1)
})

test('of many parallel completions of one registration, over all instances, one succeeds', async () => {
  const { any, createUserWithToken, db } = await startThree()
  const token = await createUserWithToken('ada')
  const credential = createAuthenticator().create(await beginRegistration(any(), token))
  const replies = await Promise.all(
    Array.from({ length: CROWD }, () =>
      any().post('passkeys/register/complete/', { credential }, { token }),
    ),
  )
  const statuses = replies.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([201, ...Array(CROWD - 1).fill(400)])
  expect(await countRows(db, 'passkeys')).toBe(1)
})
