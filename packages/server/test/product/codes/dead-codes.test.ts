import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { changeKey } from '../../support/addresses.ts'
import { ADA, startWithCodes } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD } from '../../support/start-auth.ts'

type Started = Awaited<ReturnType<typeof startWithCodes>>

async function tokenOf({ request }: Started): Promise<string> {
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  return (reply.body as { key: string }).key
}

const ends: Record<string, (auth: Started) => Promise<unknown>> = {
  'a new password': async (auth) =>
    auth.request.post('password/change/', twice(STRONG), { token: await tokenOf(auth) }),
  'a password reset': async (auth) => {
    const { uid, token } = await requestReset(auth, ADA)
    return auth.request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  },
  'a deactivation': async ({ administration, findUser }) =>
    administration.deactivate(await findUser('ada')),
  'a deactivation that is undone': async ({ administration, findUser }) => {
    await administration.deactivate(await findUser('ada'))
    await administration.activate(await findUser('ada'))
  },
  'a deletion': async ({ administration, findUser }) =>
    administration.remove(await findUser('ada')),
  'another address': (auth) => changeAddress(auth, 'ada@new.example'),
  'another address, even if the user returns to the old one': async (auth) => {
    await changeAddress(auth, 'ada@new.example')
    await changeAddress(auth, ADA)
  },
}

async function changeAddress(auth: Started, email: string): Promise<void> {
  const body = { email, password: PASSWORD }
  await auth.request.post('email/change/', body, { token: await tokenOf(auth) })
  const key = await changeKey(auth, email)
  expect((await auth.request.post('email/change/confirm/', { key })).status).toBe(200)
}

test.each(Object.entries(ends))('%s voids a code', async (_, end) => {
  const auth = await startWithCodes()
  const begun = await auth.begin()
  await end(auth)
  const before = await countRows(auth.db, 'logins')
  const reply = await auth.confirm(begun)
  expect(reply.status).toBe(400)
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(before)
})

test('a login by password leaves a code alone', async () => {
  const auth = await startWithCodes()
  const begun = await auth.begin()
  await tokenOf(auth)
  expect((await auth.confirm(begun)).status).toBe(200)
})

test('a login by code voids reset tokens, as every login does', async () => {
  const auth = await startWithCodes()
  const { uid, token } = await requestReset(auth, ADA)
  await auth.confirm(await auth.begin())
  const reply = await auth.request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  expect(reply).toMatchReply(400, { token: ['Invalid value'] })
})
