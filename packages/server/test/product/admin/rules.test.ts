import { expect, test } from 'vitest'
import type { Actor } from '../../../src/features/administration/rules.ts'
import { startAuth } from '../../support/start-auth.ts'

/** Users of every standing, and actors of every kind. */
async function start() {
  const started = await startAuth()
  const { auth, createUser, db } = started
  const { operations } = auth.services
  const make = async (username: string, flags: object = {}) => {
    const user = await createUser({ username, email: `${username}@example.com`, verified: true })
    if (Object.keys(flags).length > 0)
      await db.updateTable('users').set(flags).where('id', '=', user.id).execute()
    return user.id
  }
  const pks = {
    root: await make('root', { is_superuser: 1 }),
    other: await make('other', { is_superuser: 1 }),
    sam: await make('sam', { is_staff: 1 }),
    sue: await make('sue', { is_staff: 1 }),
    ada: await make('ada'),
  }
  const person = (name: 'root' | 'sam', may: 'superuser' | 'staff'): Actor => ({
    kind: 'person',
    name,
    id: pks[name],
    pk: pks[name],
    address: '192.0.2.7',
    may,
  })
  const actors = {
    host: { kind: 'host', name: 'billing', may: 'all' },
    root: person('root', 'superuser'),
    sam: person('sam', 'staff'),
    key: { kind: 'key', name: 'sync', pk: 3, may: ['read', 'users'] },
    reader: { kind: 'key', name: 'report', pk: 4, may: ['read'] },
  } as const satisfies Record<string, Actor>
  const auditOf = (event: string) =>
    db.selectFrom('audit_events').selectAll().where('event', '=', event).orderBy('id').execute()
  return { ...started, operations, pks, actors, auditOf }
}

type Try = [actor: string, operation: string, target: string, more: object, code: string | null]

test('nobody changes themselves, their equals or those above, and every refusal is a row', async () => {
  const { operations, pks, actors, auditOf } = await start()
  const tries: Try[] = [
    ['root', 'users.deactivate', 'root', {}, 'own_account'],
    ['root', 'users.update', 'root', { is_superuser: false }, 'own_account'],
    ['root', 'users.update', 'root', { first_name: 'Ro' }, null],
    ['root', 'users.deactivate', 'other', {}, 'equal_or_above'],
    ['root', 'users.update', 'sam', { groups: ['editors'] }, null],
    ['root', 'users.update', 'ada', { is_superuser: true }, null],
    ['host', 'users.update', 'ada', { is_superuser: false }, null],
    ['sam', 'users.show', 'sue', {}, null],
    ['sam', 'users.update', 'sue', { first_name: 'S' }, 'equal_or_above'],
    ['sam', 'users.deactivate', 'root', {}, 'equal_or_above'],
    ['sam', 'users.update', 'ada', { is_staff: true }, 'not_allowed'],
    ['sam', 'users.update', 'ada', { groups: ['editors'] }, 'not_allowed'],
    ['sam', 'users.update', 'ada', { is_staff: false, first_name: 'Ada' }, null],
    ['key', 'users.update', 'ada', { is_staff: true }, 'not_allowed'],
    ['key', 'users.deactivate', 'sam', {}, 'equal_or_above'],
    ['key', 'users.deactivate', 'ada', {}, null],
    ['reader', 'users.show', 'ada', {}, null],
    ['reader', 'users.deactivate', 'ada', {}, 'scope_missing'],
  ]
  for (const [actor, name, target, more, code] of tries) {
    const what = `${actor} ${name} ${target} ${JSON.stringify(more)}`
    const input = { pk: pks[target as keyof typeof pks], ...more, reason: 'a test' }
    const by = actors[actor as keyof typeof actors]
    const result = operations.call(by, name as 'users.show', input)
    if (code) await expect(result, what).rejects.toMatchObject({ status: 403, body: { code } })
    else expect(await result, what).toMatchObject({ pk: input.pk })
  }
  const refused = tries.filter(([, , , , code]) => code !== null)
  const rows = await auditOf('operation_refused')
  expect(rows.map(({ operator_name, details }) => [operator_name, JSON.parse(details)])).toEqual(
    refused.map(([actor, operation, , , code]) => [
      actors[actor as keyof typeof actors].name,
      { operation, code },
    ]),
  )
  const [row] = await auditOf('user_deactivated')
  const { operator_kind, operator_pk, operator_name, reason } = row ?? {}
  expect({ operator_kind, operator_pk, operator_name, reason }).toEqual({
    operator_kind: 'key',
    operator_pk: '3',
    operator_name: 'sync',
    reason: 'a test',
  })
})
