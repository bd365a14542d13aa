import { expect, test } from 'vitest'
import { INVALID_TOKEN, NOT_FOUND } from '../../support/answers.ts'
import { KEYS, type MadeKey, NO_SCOPE, startKeys } from '../../support/api-keys.ts'
import { countRows, dump } from '../../support/dump.ts'
import { modes } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const SHOWN = {
  id: expect.any(Number),
  name: 'backup',
  scopes: ['user:read'],
  created_at: '2030-01-01T12:00:00.000Z',
  expires_at: null,
  last_used_at: null,
}

test.each(modes)('%s mode: a key is shown once, and works', async (mode) => {
  const { ada, ask, use, clock, auth } = await startKeys({}, { mode })
  const made = await ask()
  expect(made).toMatchReply(201, { ...SHOWN, key: expect.stringMatching(/^lk_[\w-]{43}$/) })
  expect(made.headers['cache-control']).toBe('no-store')
  expect(await ada.get('tokens/')).toMatchReply(200, [SHOWN])

  clock.advance(90_000)
  expect(await use(made.body as MadeKey)).toMatchReply(
    200,
    expect.objectContaining({ username: 'ada' }),
  )
  const used = { ...SHOWN, last_used_at: '2030-01-01T12:01:00.000Z' }
  expect(await ada.get('tokens/')).toMatchReply(200, [used])
  expect(auth.settings.API_KEYS).toBe(true)
})

test('a use is noted for its key alone, and never replaces a later one', async () => {
  const { make, use, ada, clock, db } = await startKeys()
  const [one, two] = [await make(), await make()]
  clock.advance(2 * MINUTE)
  await use(one)
  const lastUses = async () =>
    ((await ada.get('tokens/')).body as MadeKey[]).map((key) => key.last_used_at)
  expect(await lastUses()).toEqual([null, '2030-01-01T12:02:00.000Z'])
  clock.advance(MINUTE)
  await use(two)
  // As if another instance had written meanwhile.
  await db
    .updateTable('api_keys')
    .set({ last_used_at: clock.now() + HOUR })
    .execute()
  expect(await lastUses()).toEqual(Array(2).fill('2030-01-01T13:03:00.000Z'))
})

test('only a digest is stored; the owner gets a mail, and the audit a row', async () => {
  const { make, db, mail, findUser, auth } = await startKeys()
  const made = await make()
  expect(JSON.stringify(await dump(db))).not.toContain(made.key)
  expect(await mail.templates()).toEqual(['api-key-added'])
  const { id } = await findUser('ada')
  const [event] = await auth.services.audit.newestOfUser(id, 1)
  expect(event).toMatchObject({ event: 'api_key_created' })
  expect(JSON.stringify(event)).not.toContain(made.key)
})

test('a key does only what its scopes say', async () => {
  const { make, use, request } = await startKeys()
  const reader = await make()
  const orders = await make({ scopes: ['orders:read'] })
  expect((await use(reader)).status).toBe(200)
  expect(await use(orders)).toMatchReply(...NO_SCOPE)
  const token = reader.key
  expect(await request.patch('user/', { first_name: 'Eve' }, { token })).toMatchReply(...NO_SCOPE)
  expect((await use(reader)).body).toMatchObject({ first_name: '' })
})

test('a scope that the settings no longer declare is void', async () => {
  const before = await startKeys({}, { shared: true })
  const made = await before.make({ scopes: ['user:read', 'orders:read'] })
  const after = await startAuth({ API_KEYS: true }, { beside: before })
  const listed = await after.request.get('tokens/', { token: keyIn(before.ada.reply) })
  expect(listed.body).toMatchObject([{ scopes: ['user:read'] }])
  expect((await after.request.get('user/', { token: made.key })).status).toBe(200)
})

const keyIn = ({ body }: { body: unknown }) => (body as { key: string }).key

test.each([
  [{ name: '' }, { name: ['This field may not be blank.'] }],
  [{ name: 'x'.repeat(101) }, { name: ['Ensure this field has no more than 100 characters.'] }],
  [{ name: null }, { name: ['This field may not be null.'] }],
  [{ name: {} }, { name: ['Not a valid string.'] }],
  [{ name: '\0' }, { name: ['Null characters are not allowed.'] }],
  [{ scopes: [] }, { scopes: ['This field may not be blank.'] }],
  [{ scopes: 'user:read' }, { scopes: ['Expected a list of items but got type "str".'] }],
  [{ scopes: ['all'] }, { scopes: ['"all" is not a valid choice.'] }],
  [{ scopes: ['user:read', {}] }, { scopes: ['"dict" is not a valid choice.'] }],
  [{ scopes: ['api_key'] }, { scopes: ['"api_key" is not a valid choice.'] }],
  [{ expires_at: '2030-01-01T12:00:00Z' }, { expires_at: ['Choose a time in the future.'] }],
  [{ expires_at: '1999-01-01T00:00:00Z' }, { expires_at: ['Choose a time in the future.'] }],
  [
    { name: '', scopes: ['foo'], expires_at: '2001-01-01T00:00:00Z' },
    {
      name: ['This field may not be blank.'],
      scopes: ['"foo" is not a valid choice.'],
      expires_at: ['Choose a time in the future.'],
    },
  ],
  [{ expires_at: 'soon' }, { expires_at: [expect.stringMatching(/^Datetime has wrong format/)] }],
  [{ expires_at: [] }, { expires_at: [expect.any(String)] }],
])('%j is refused, and makes nothing', async (given, fault) => {
  const { ask, ada, mail } = await startKeys()
  expect(await ask(given)).toMatchReply(400, fault)
  expect(await ada.get('tokens/')).toMatchReply(200, [])
  expect(await mail.templates()).toEqual([])
})

test('a key ends when it says, and is swept', async () => {
  const { make, use, ada, clock, auth, db } = await startKeys()
  const made = await make({ expires_at: '2030-01-01T13:00:00Z' })
  expect(made.expires_at).toBe('2030-01-01T13:00:00.000Z')
  clock.advance(HOUR - 1)
  expect((await use(made)).status).toBe(200)
  clock.advance(1)
  expect(await use(made)).toMatchReply(401, INVALID_TOKEN)
  expect(await ada.get('tokens/')).toMatchReply(200, [])
  await auth.sweep()
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('making one needs a fresh login, whatever the settings', async () => {
  const { ask, ada, clock, make } = await startKeys()
  clock.advance(5 * MINUTE)
  expect(await ask()).toMatchReply(403, {
    detail: 'Recent authentication is required.',
    code: 'reauthentication_required',
  })
  expect(await ada.get('tokens/')).toMatchReply(200, [])
  expect((await ada.post('reauthenticate/', { password: PASSWORD })).status).toBe(200)
  await make()
})

test('of 64 parallel requests, no more succeed than the limit allows', async () => {
  const { ask, ada } = await startKeys()
  const replies = await Promise.all(Array.from({ length: 64 }, () => ask()))
  const made = replies.filter(({ status }) => status === 201)
  expect(made).toHaveLength(50)
  expect(new Set(made.map(keyIn)).size).toBe(50)
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect(reply).toMatchReply(400, {
      non_field_errors: ['You cannot have more than 50 keys. Delete one first.'],
    })
  }
  const { body } = await ada.get('tokens/')
  expect(body).toHaveLength(50)
  const [first] = body as MadeKey[]
  expect((await ada.delete(`tokens/${first?.id}/`)).status).toBe(204)
  expect((await ask()).status).toBe(201)
})

test('a revoked key is refused at once; of parallel deletions one succeeds', async () => {
  const { make, use, ada } = await startKeys()
  const [one, two] = [await make(), await make()]
  const ended = await Promise.all([1, 2, 3, 4].map(() => ada.delete(`tokens/${one.id}/`)))
  expect(ended.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
  expect(await use(one)).toMatchReply(401, INVALID_TOKEN)
  expect((await use(two)).status).toBe(200)
})

test('nobody sees or ends the keys of others', async () => {
  const { make, use, createUser, logIn } = await startKeys()
  const made = await make()
  await createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  const bob = await logIn('bob')
  expect(await bob.get('tokens/')).toMatchReply(200, [])
  expect((await use(await make({}, bob))).body).toMatchObject({ username: 'bob' })
  expect((await use(made)).body).toMatchObject({ username: 'ada' })
  expect((await use({ key: `lk_${'a'.repeat(43)}` })).status).toBe(401)
  for (const id of [made.id, 'x', '0', '-1', '9'.repeat(30), '1.5']) {
    expect(await bob.delete(`tokens/${id}/`)).toMatchReply(404, NOT_FOUND)
  }
  expect((await use(made)).status).toBe(200)
})

test('an unproved address comes first', async () => {
  const { createUser, logIn, ask } = await startKeys()
  await createUser({ username: 'bob', email: 'bob@example.com' })
  expect(await ask({}, await logIn('bob'))).toMatchReply(400, {
    non_field_errors: ['Verify your e-mail address first.'],
  })
})

test('without API_KEYS there is nothing, and old keys are void', async () => {
  const before = await startKeys({}, { shared: true })
  const made = await before.make()
  const after = await startAuth({}, { beside: before })
  const token = keyIn(before.ada.reply)
  expect(await after.request.get('tokens/', { token })).toMatchReply(404, NOT_FOUND)
  expect(await after.request.get('user/', { token: made.key })).toMatchReply(401, INVALID_TOKEN)
})

test('without API tokens, only keys of users are read from the header', async () => {
  const { request } = await startKeys({ REST_AUTH: { TOKEN_MODEL: null } }, { mode: 'session' })
  for (const [token, status] of [
    ['a'.repeat(40), 401],
    [`lk_${'a'.repeat(43)}`, 401],
    ['lk_', 401],
    [`lk_${'a'.repeat(5000)}`, 401],
  ] as const) {
    expect((await request.get('user/', { token })).status).toBe(status)
  }
})

test('a list of classes without token stops the start', async () => {
  const input = { ...KEYS, REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['session'] } }
  await expect(startAuth(input as never)).rejects.toThrow(/API_KEYS: needs token/)
})
