import { expect, test } from 'vitest'
import { digest as digestOf } from '../../../src/crypto/digests.ts'
import { createAdmin } from '../../../src/library/create-admin.ts'
import { startListening } from '../../support/events.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const HOST = { kind: 'host', name: 'test', may: 'all' } as const

test('of two last superusers who are removed at once, one stays', async () => {
  const { auth, createUser, db } = await startAuth({}, { shared: true })
  const { operations } = auth.services
  const ways = [
    ['users.update', { is_superuser: false }],
    ['users.deactivate', {}],
    ['users.delete', {}],
  ] as const
  for (const [name, more] of ways) {
    const pks: number[] = []
    for (const username of [`${name}-a`, `${name}-b`]) {
      const { id } = await createUser({ username })
      await operations.call(HOST, 'users.update', { pk: id, is_superuser: true })
      pks.push(id)
    }
    const results = await Promise.allSettled(
      pks.map((pk) => operations.call(HOST, name, { pk, ...more })),
    )
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused, name).toMatchObject([{ status: 403, body: { code: 'last_superuser' } }])
    await db.updateTable('users').set({ is_superuser: 0 }).execute()
  }
})

test('users cannot delete their account if they are the last superuser', async () => {
  const { request, createUserWithToken, db } = await startAuth({ ACCOUNT: { DELETION: true } })
  const token = await createUserWithToken('root')
  await db.updateTable('users').set({ is_superuser: 1 }).execute()
  const leave = () => request.post('account/delete/', { password: PASSWORD }, { token })
  const code = 'last_superuser'
  expect(await leave()).toMatchReply(403, { detail: 'This is the last active superuser.', code })
  await createUserWithToken('other')
  await db.updateTable('users').set({ is_superuser: 1 }).execute()
  expect((await leave()).status).toBe(200)
})

test('a new address voids the links to the former one, and is unverified unless it says so', async () => {
  const { auth, createUser, mail } = await startAuth()
  const { operations } = auth.services
  const account = { username: 'ada', email: 'ada@example.com', verified: true }
  const { id: pk } = await createUser(account)
  await createUser({ username: 'bob', email: 'bob@example.com' })
  const update = (input: object) => operations.call(HOST, 'users.update', { pk, ...input })
  await expect(update({ email: 'BOB@example.com' })).rejects.toMatchObject({
    status: 400,
    body: { email: [{ code: 'email_taken' }] },
  })
  expect(await update({ email: 'new@example.com' })).toMatchObject({
    email: 'new@example.com',
    email_verified: false,
  })
  const sent = await mail.letters()
  expect(sent.map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'new@example.com'])
  expect(await update({ email: 'own@example.com', verified: true })).toMatchObject({
    email_verified: true,
  })
  expect(await update({ email: '' })).toMatchObject({ email: '', email_verified: false })
  await expect(operations.call(HOST, 'users.sendReset', { pk })).rejects.toMatchObject({
    status: 400,
  })
})

test('the address that a user already has stays verified', async () => {
  const { auth, createUser, mail, db } = await startAuth()
  const { operations } = auth.services
  const { id: pk } = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const update = (input: object) => operations.call(HOST, 'users.update', { pk, ...input })
  expect(await update({ email: 'ADA@example.com' })).toMatchObject({
    email: 'ada@example.com',
    email_verified: true,
  })
  expect(await mail.letters()).toEqual([])
  expect(await db.selectFrom('audit_events').select('event').execute()).toEqual([])
  const unverified = { email: 'ada@example.com', verified: false }
  expect(await update(unverified)).toMatchObject({ email_verified: false })
  expect(await update({ verified: true })).toMatchObject({ email_verified: true })
})

test('no new user gets an address that another user can log in with', async () => {
  const { auth, createUser, db } = await startAuth()
  const { operations } = auth.services
  const { id: user_id } = await createUser({ username: 'ada', email: 'ada@example.com' })
  const email = 'ada@work.example'
  const further = { id: 1, user_id, email, email_key: email, verified: 1 as const }
  await db.insertInto('django_addresses').values(further).execute()
  const create = (username: string) =>
    operations.call(HOST, 'users.create', { username, email: 'Ada@work.example' })
  const taken = [{ code: 'email_taken' }]
  await expect(create('bob')).rejects.toMatchObject({ status: 400, body: { email: taken } })
  await expect(create('ada')).rejects.toMatchObject({
    body: { username: [{ code: 'username_taken' }], email: taken },
  })
  expect(await db.selectFrom('users').select('username').execute()).toEqual([{ username: 'ada' }])
})

test('a user without an address has none that is verified', async () => {
  const { auth } = await startAuth()
  const input = { username: 'ada', verified: true }
  expect(await auth.services.operations.call(HOST, 'users.create', input)).toMatchObject({
    email: '',
    email_verified: false,
  })
})

test('hooks hear of a new password with the user as they are', async () => {
  const { administration, createUser, told } = await startListening()
  const before = await createUser({ username: 'ada' })
  await administration.set(before, { names: { first_name: 'Ada' } })
  await told()
  await administration.setPassword(before, 'another long password')
  expect(await told()).toMatchObject([{ type: 'passwordChanged', user: { first_name: 'Ada' } }])
})

test('an admin key does not keep the name of the operator who made it', async () => {
  const { auth, createUser, db } = await startAuth()
  const { operations } = auth.services
  const { id } = await createUser({ username: 'lovelace-1815' })
  await db.updateTable('users').set({ is_superuser: 1 }).execute()
  const may = 'superuser' as const
  const person = { kind: 'person', name: 'lovelace-1815', pk: id, id, may } as const
  await operations.call(person, 'adminKeys.create', { name: 'sync', scopes: ['read'] })
  await operations.call(HOST, 'adminKeys.create', { name: 'jobs', scopes: ['read'] })
  await createUser({ username: 'root' })
  await db.updateTable('users').set({ is_superuser: 1 }).execute()
  await operations.call(HOST, 'users.delete', { pk: id })
  expect((await operations.call(HOST, 'adminKeys.list', {})).results).toMatchObject([
    { name: 'sync', created_by: `user ${id}` },
    { name: 'jobs', created_by: 'test' },
  ])
  const rows = await db.selectFrom('admin_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('lovelace-1815')
})

test('no answer of any operation contains a hash, a key, a code or a secret', async () => {
  const { auth, createUserWithToken, findUser, db } = await startAuth({
    ACCOUNT: { SIGNUP: 'invited' },
    API_KEYS: true,
  })
  const { operations } = auth.services
  const token = await createUserWithToken('ada')
  const { id: pk, password } = await findUser('ada')
  await operations.call(HOST, 'users.sendReset', { pk })
  const key = { name: 'billing', scopes: ['read'] }
  const { id, key: adminKey } = await operations.call(HOST, 'adminKeys.create', key)
  const invite = (email: string) => operations.call(HOST, 'invitations.create', { email })
  const invitation = { id: String((await invite('bob@example.com')).id) }
  const made = { user_id: pk, name: 'backup', digest: 'canary-of-key', scopes: '[]', created_at: 0 }
  const apiKey = await db
    .insertInto('api_keys')
    .values(made)
    .returning('id')
    .executeTakeFirstOrThrow()
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    'invitations.create': { email: 'eve@example.com' },
    'invitations.resend': invitation,
    'invitations.revoke': invitation,
    'users.revokeApiKey': { pk, id: String(apiKey.id) },
    'users.create': { username: 'eve', password: 'canary-of-eve' },
    'users.setPassword': { pk, password: 'canary-of-ada' },
    'mails.retry': { id: 'all' },
    'events.retry': { id: 'all' },
    // Its answer is the one that has a key: a new one.
    'adminKeys.create': key,
    'adminKeys.revoke': { id: String(id) },
  }
  const { digest } = await db.selectFrom('tokens').select('digest').executeTakeFirstOrThrow()
  // Some operations end every key, and one the user.
  const order = (name: string) =>
    name === 'users.revokeApiKey' ? -1 : name === 'users.delete' ? 1 : 0
  const names = operations.all.map(({ name }) => name).toSorted((a, b) => order(a) - order(b))
  expect(names.length).toBeGreaterThan(18)
  for (const name of names) {
    if (name === 'users.impersonate') continue
    const input = inputs[name] ?? { pk }
    const answer = JSON.stringify(await operations.call(HOST, name as 'users.show', input)) ?? ''
    const { password: hash } = (await findUser('ada').catch(() => null)) ?? { password }
    const secrets = [token, digest, password, hash, adminKey, digestOf(adminKey), 'canary-of']
    for (const secret of [...secrets, auth.settings.SECRET_KEY]) {
      expect(answer, name).not.toContain(secret)
    }
  }
})

test('users are told of a password that an operator sets', async () => {
  const { auth, createUser, mail } = await startAuth()
  const { id: pk } = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const password = 'a quite long one 17'
  await auth.services.operations.call(HOST, 'users.setPassword', { pk, password })
  expect(await mail.letters()).toMatchObject([
    { to: 'ada@example.com', template: 'password-changed' },
  ])
})

test('the audit says which rights a new user was given', async () => {
  const { auth, db } = await startAuth()
  const create = (username: string, more: object) =>
    auth.services.operations.call(HOST, 'users.create', { username, ...more })
  await create('root', { is_superuser: true, is_staff: true, groups: ['editors'] })
  await create('ada', { is_superuser: false, groups: [] })
  const rows = await db.selectFrom('audit_events').select('details').orderBy('id').execute()
  expect(rows.map(({ details }) => JSON.parse(details))).toEqual([
    { fields: 'is_staff,is_superuser,groups' },
    {},
  ])
})

test('every operation is a call of a program that embeds the service, except the use of an account', async () => {
  const { auth } = await startAuth()
  const { by: _, ...admin } = createAdmin(auth)
  const calls = Object.entries(admin).flatMap(([of, verbs]) =>
    Object.keys(verbs).map((verb) => `${of}.${verb}`),
  )
  const operations = auth.services.operations.all.map(({ name }) => name)
  const wanted = operations.filter((name) => name !== 'users.impersonate')
  expect(calls.sort()).toEqual(wanted.sort())
})
