import { expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOT_FOUND = { detail: 'Not found.' }

test('passkeys are listed, the newest first, and only to their owner', async () => {
  const { request, createUserWithToken } = await startAuth()
  const [ada, bob] = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  const first = await registered(request, ada)
  const second = await registered(request, ada)
  const list = await request.get('passkeys/', { token: ada })
  expect(list.status).toBe(200)
  expect(list.body).toMatchObject([
    { id: 2, credential_id: second.id },
    { id: 1, credential_id: first.id },
  ])
  expect(await request.get('passkeys', { token: bob })).toMatchReply(200, [])
  const [newest] = list.body as unknown[]
  expect(await request.get('passkeys/2/', { token: ada })).toMatchReply(200, newest)
})

test('a passkey is renamed', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  await registered(request, token)
  const { body } = await request.get('passkeys/1/', { token })
  const renamed = { ...(body as object), name: 'ren' }
  expect(await request.patch('passkeys/1/', { name: 'ren' }, { token })).toMatchReply(200, renamed)
  expect(await request.patch('passkeys/1/', {}, { token })).toMatchReply(200, renamed)
  expect(await request.put('passkeys/1', { name: ' two ' }, { token })).toMatchReply(200, {
    ...renamed,
    name: 'two',
  })
  expect(await request.put('passkeys/1/', {}, { token })).toMatchReply(400, {
    name: ['This field is required.'],
  })
  expect(await request.patch('passkeys/1/', { name: '' }, { token })).toMatchReply(400, {
    name: ['This field may not be blank.'],
  })
  expect(await request.patch('passkeys/1/', { name: 'n'.repeat(256) }, { token })).toMatchReply(
    400,
    {
      name: ['Ensure this field has no more than 255 characters.'],
    },
  )
})

test('a deleted passkey no longer logs in, and its owner hears of it', async () => {
  const started = await startAuth()
  const { request, createUserWithToken, db } = started
  const token = await createUserWithToken('ada')
  const authenticator = await registered(request, token)
  expect(await request.delete('passkeys/1/', { token })).toMatchReply(204)
  expect(await request.delete('passkeys/1/', { token })).toMatchReply(404, NOT_FOUND)
  expect(await logIn(request, authenticator)).toMatchReply(400, {
    non_field_errors: ['Authentication verification failed.'],
  })
  const letters = await started.mail.letters()
  expect(letters.map(({ template }) => template).toSorted()).toEqual([
    'passkey-added',
    'passkey-removed',
  ])
  const events = await db.selectFrom('audit_events').select('event').orderBy('id').execute()
  expect(events.map(({ event }) => event)).toEqual(['passkey_added', 'passkey_removed'])
})

test('another user’s passkey, and what is no id, does not exist', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  await registered(request, await createUserWithToken('ada'))
  const token = await createUserWithToken('bob')
  const ids = ['1', '99999', '0', '-1', '1.0', '01', '2147483648', '9007199254740993', 'x', '%00']
  for (const id of ids) {
    const path = `passkeys/${id}/`
    expect.soft(await request.get(path, { token }), id).toMatchReply(404, NOT_FOUND)
    for (const method of ['PATCH', 'PUT', 'DELETE'] as const) {
      const reply = await request.call(method, path, { name: 'x' }, { token })
      expect.soft(reply, `${method} ${id}`).toMatchReply(404, NOT_FOUND)
    }
  }
  expect(await db.selectFrom('passkeys').select('name').execute()).toEqual([{ name: 'Passkey' }])
})

test('the last way to log in stays; with a password or another passkey it may go', async () => {
  const started = await startAuth()
  const { request, createUserWithToken, db } = started
  const token = await createUserWithToken('ada')
  await registered(request, token)
  await registered(request, token)
  await db.updateTable('users').set({ password: '!unusable' }).execute()

  const replies = await Promise.all(
    [1, 2].map((id) => request.delete(`passkeys/${id}/`, { token })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 400])
  expect(replies.find(({ status }) => status === 400)?.body).toEqual({
    detail: 'This passkey is your only way to log in. Set a password or add another passkey first.',
  })
  expect(await countRows(db, 'passkeys')).toBe(1)
  expect(await started.mail.letters()).toHaveLength(3)
})

test('passkeys go with their owner', async () => {
  const { request, createUserWithToken, administration, findUser, db } = await startAuth()
  await registered(request, await createUserWithToken('ada'))
  const ada = await findUser('ada')
  await administration.remove(ada)
  expect(await countRows(db, 'passkeys')).toBe(0)
  expect(await countRows(db, 'passkey_owners')).toBe(0)
})

test('other methods are refused, by cookie only with a CSRF token', async () => {
  const { request, createUserWithToken, logInBrowser } = await startAuth()
  const token = await createUserWithToken('ada')
  expect((await request.post('passkeys/', {}, { token })).headers.allow).toBe('GET, HEAD, OPTIONS')
  await registered(request, token)
  const browser = await logInBrowser('ada')
  expect((await browser.delete('passkeys/1/')).status).toBe(403)
  expect((await browser.delete('passkeys/1/', browser.csrf())).status).toBe(204)
})
