import { expect, onTestFinished, test } from 'vitest'
import { createAuth, OperationRefused } from '../../src/index.ts'
import { QUIET } from '../support/embed.ts'
import { SECRET_KEY } from '../support/start-auth.ts'
import { turnsDuring } from '../support/turns.ts'

async function newAdmin() {
  const settings = { DATABASE_URL: 'sqlite::memory:', SECRET_KEY } as const
  const auth = await createAuth(settings, { log: QUIET, mail: { send: async () => {} } })
  onTestFinished(() => auth.close())
  return auth.admin
}

test('a job that makes one call after another leaves turns to requests', async () => {
  const { users } = await newAdmin()
  const { pk } = await users.create({ username: 'ada' })
  const turns = await turnsDuring(async () => {
    for (let n = 0; n < 10; n++) await users.update({ pk, first_name: `Ada ${n}` })
    for (let n = 0; n < 10; n++) await users.show({ pk: -1 }).catch(() => {})
  })
  expect(turns).toBeGreaterThanOrEqual(19)
})

test('a call reads its input at once', async () => {
  const { users } = await newAdmin()
  const input = { username: 'ada', groups: ['first'] }
  const made = users.create(input)
  input.username = 'grace'
  input.groups.push('second')
  expect(await made).toMatchObject({ username: 'ada', groups: ['first'] })
})

test('a name that is blank, too long or no text names no operator', async () => {
  const { by } = await newAdmin()
  const wrong = [undefined, 7, '', ' \t\n', 'billing\0job', 'billing \ud800', 'x'.repeat(151)]
  for (const name of wrong) {
    expect(() => by(name as string), String(name)).toThrow(new TypeError('Name the operator.'))
  }
})

test('the audit finds what a named operator did', async () => {
  const admin = await newAdmin()
  for (const [index, name] of ['billing job', '𝒳'.repeat(150)].entries()) {
    await admin.by(name).users.create({ username: `user-${index}` })
    const { results } = await admin.audit.find({ operator: name })
    expect(results).toMatchObject([{ event: 'user_created', operator: { kind: 'host', name } }])
  }
  await admin.by(' billing job\n').users.create({ username: 'ada' })
  expect((await admin.audit.find({ operator: 'billing job' })).results).toHaveLength(2)
})

test('a host makes, lists and revokes the keys of programs', async () => {
  const admin = await newAdmin()
  const { adminKeys } = admin.by('rotation')
  const { key, ...made } = await adminKeys.create({
    name: 'billing',
    scopes: ['read', 'users'],
    expires: '90d',
  })
  expect(key).toMatch(/^lkadmin_/)
  expect(made).toMatchObject({ name: 'billing', created_by: 'rotation' })
  expect(await adminKeys.list()).toEqual({ results: [made], next: null })
  await adminKeys.revoke({ id: made.id, reason: 'Rotated' })
  expect(await adminKeys.list()).toEqual({ results: [], next: null })
  await expect(adminKeys.revoke({ id: made.id })).rejects.toMatchObject({ code: 'not_found' })
  const wrong = adminKeys.create({ name: '', scopes: [], expires: 'never' })
  await expect(wrong).rejects.toThrow(OperationRefused)
  await expect(wrong).rejects.toMatchObject({
    fields: { name: expect.anything(), scopes: expect.anything() },
  })
  const { results } = await admin.audit.find({ operator: 'rotation' })
  expect(results.map(({ event, reason }) => [event, reason])).toEqual([
    ['admin_key_revoked', 'Rotated'],
    ['admin_key_created', null],
  ])
})
