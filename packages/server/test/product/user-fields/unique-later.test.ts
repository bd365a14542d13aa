import { expect, test } from 'vitest'
import { createAuth } from '../../../src/index.ts'
import { SECRET_KEY, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const declared = (unique: boolean) =>
  ({ USER_FIELDS: { phone: { type: 'string', unique } } }) as const
const NOT_UNIQUE = { phone: ['This field must be unique.'] }

async function startWithPhones(phones: Record<string, string>) {
  const started = await startAuth(declared(false), { shared: true })
  const tokens: Record<string, string> = {}
  for (const [name, phone] of Object.entries(phones)) {
    tokens[name] = await started.createUserWithToken(name)
    await started.request.patch('user/', { phone }, { token: tokens[name] })
  }
  const restart = (unique: boolean) => startAuth(declared(unique), { beside: started })
  return { ...started, tokens, restart }
}

/** How the start of a service over the same database ends, in which the field is unique. */
async function tryToStart({ settings }: StartedAuth): Promise<string> {
  const { DATABASE_URL, USER_PK } = settings
  const service = { SECRET_KEY, DATABASE_URL, USER_PK, LOG_LEVEL: 'silent' } as const
  const input = { ...service, ...declared(true) }
  try {
    const auth = await createAuth(input)
    await auth.close()
    return 'started'
  } catch (error) {
    return String(error)
  }
}

test('values from before a field became unique belong to their users, too', async () => {
  const { tokens, restart } = await startWithPhones({ ada: '1', bob: '' })
  const { request, createUserWithToken } = await restart(true)
  const token = await createUserWithToken('eve')
  const taken = await request.patch('user/', { phone: '1' }, { token })
  expect(taken).toMatchReply(400, NOT_UNIQUE)
  // Nobody holds nothing, and one's own value is one's own.
  expect((await request.patch('user/', { phone: '' }, { token })).status).toBe(200)
  const own = await request.patch('user/', { phone: '1' }, { token: tokens.ada ?? '' })
  expect(own.status).toBe(200)
})

test('they are taken up again each time that it becomes unique', async () => {
  const { tokens, restart } = await startWithPhones({ ada: '1' })
  await restart(true)
  const { request } = await restart(false)
  await request.patch('user/', { phone: '2' }, { token: tokens.ada ?? '' })
  const { request: again, createUserWithToken } = await restart(true)
  const token = await createUserWithToken('eve')
  expect(await again.patch('user/', { phone: '2' }, { token })).toMatchReply(400, NOT_UNIQUE)
  expect((await again.patch('user/', { phone: '1' }, { token })).status).toBe(200)
})

test('two users with one value stop the start, until one of them has another', async () => {
  const started = await startWithPhones({ ada: '1', bob: '1', eve: '2' })
  const { id } = await started.findUser('bob')
  expect(await tryToStart(started)).toBe(
    `SettingsError: USER_FIELDS.phone: must be unique, but 1 user has a value that another user also has (pk ${id}); give them another one with "latchkey user set --pk <pk> phone=<value>"`,
  )
  const bob = await started.findUser('bob')
  await started.administration.set(bob, { values: { phone: '3' } })
  expect(await tryToStart(started)).toBe('started')
})

test('users with UUIDs are named by these', async () => {
  const started = await startAuth({ ...declared(false), USER_PK: 'uuid' }, { shared: true })
  for (const name of ['ada', 'bob']) {
    const token = await started.createUserWithToken(name)
    await started.request.patch('user/', { phone: '1' }, { token })
  }
  const { uuid } = await started.findUser('bob')
  expect(await tryToStart(started)).toContain(`another user also has (pk ${uuid});`)
})

test('all users are looked at, however many they are', async () => {
  const started = await startWithPhones({ ada: 'shared' })
  const ada = await started.findUser('ada')
  const copies = Array.from({ length: 1200 }, (_, n) => {
    const { id: _id, ...columns } = ada
    const username = `user${n}`
    const extra = JSON.stringify({ phone: n < 1193 ? String(n) : 'shared' })
    return { ...columns, username, username_key: username, email_key: null, extra }
  })
  for (let at = 0; at < copies.length; at += 400) {
    await started.db
      .insertInto('users')
      .values(copies.slice(at, at + 400))
      .execute()
  }
  const words = await tryToStart(started)
  expect(words).toContain('but 7 users have a value that another user also has (pk ')
  expect(words).toMatch(/\(pk \d+, \d+, \d+, \d+, \d+, …\)/)
})
