import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const USER_FIELDS = {
  phone: { type: 'string', max_length: 12, unique: true, editable: false },
  tags: { type: 'list' },
  age: { type: 'integer' },
}

async function startCli() {
  const cli = await newCli()
  await writeFile(join(cli.cwd, 'latchkey.config.json'), JSON.stringify({ USER_FIELDS }))
  const show = async (name = 'ada') =>
    JSON.parse((await cli.run(['user', 'show', name, '--json'])).stdout)
  return { ...cli, show }
}

test('operators set flags, groups, names and the fields of the deployment', async () => {
  const { createAda, run, show } = await startCli()
  await createAda()
  const given = [
    'is_staff=true',
    'groups=editors, ops,editors',
    'first_name=Ada',
    'phone=555',
    'tags=a,b',
  ]
  expect(await run(['user', 'set', 'ada', ...given])).toEqual({
    code: 0,
    stdout: 'Changed is_staff, groups, first_name, phone, tags of ada (pk 1).\n',
    stderr: '',
  })
  expect(await show()).toMatchObject({
    is_staff: true,
    is_superuser: false,
    groups: ['editors', 'ops'],
    first_name: 'Ada',
    phone: '555',
    tags: ['a', 'b'],
    age: null,
  })
  const { stdout } = await run(['user', 'show', 'ada'])
  expect(stdout).toMatch(/^groups +editors, ops$/m)
  expect(stdout).toMatch(/^phone +555$/m)

  await run(['user', 'set', '--pk', '1', 'is_staff=no', 'phone=', 'groups='])
  expect(await show()).toMatchObject({ is_staff: false, phone: null, groups: [], tags: ['a', 'b'] })
})

test('the audit tells who set which fields, and no value', async () => {
  const { createAda, run, show } = await startCli()
  await createAda()
  await run(['user', 'set', 'ada', 'phone=555', 'groups=editors'])
  const { history } = await show()
  expect(history[0]).toMatchObject({
    event: 'user_changed',
    details: { operator: 'grace', host: 'console', fields: 'groups,phone' },
  })
  expect(JSON.stringify(history)).not.toMatch(/555|editors/)
})

test.each([
  [['is_staff=maybe'], 1, 'is_staff: Must be a valid boolean.'],
  [['age=x', 'first_name=Ada'], 1, 'age: A valid integer is required.'],
  [['phone=1234567890123'], 1, 'phone: Ensure this field has no more than 12 characters.'],
  [['password=x'], 1, 'There is no field "password" to set. These can be set: username, '],
  [['is_active=false'], 1, 'There is no field "is_active" to set. These can be set: username, '],
  [['phone'], 2, 'Write a field as <name>=<value>.'],
  [['age=1', 'age=2'], 2, 'age is given twice.'],
  [[], 2, '<name>=<value> is missing'],
])('%j is refused, and nothing is set', async (given, code, words) => {
  const { createAda, run, show } = await startCli()
  await createAda()
  const before = await show()
  const refused = await run(['user', 'set', 'ada', ...given])
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toContain(words)
  expect(await show()).toEqual(before)
})

test('a user is created with fields, or not at all', async () => {
  const { createAda, run, show } = await startCli()
  await createAda('--field', 'phone=555', '--field=age=36')
  expect(await show()).toMatchObject({ phone: '555', age: 36 })
  const taken = await run(['user', 'create', '--username', 'bob', '--field', 'phone=555'])
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(taken.stderr).toContain('phone: This field must be unique.')
  const unknown = await run(['user', 'create', '--username', 'bob', '--field', 'fone=5'])
  expect(unknown.stderr).toContain(
    'There is no field "fone" to set. These can be set: phone, tags, age.',
  )
  expect((await run(['user', 'show', 'bob'])).code).toBe(1)
})

test('the list for programs has them', async () => {
  const { createAda, run } = await startCli()
  const created = await createAda('--field', 'phone=555', '--json')
  expect(JSON.parse(created.stdout)).toMatchObject({ phone: '555' })
  const { stdout } = await run(['user', 'list', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ username: 'ada', phone: '555', age: null }])
})

test('values that are not unique stop the start, and a command mends that', async () => {
  const { createAda, run, cwd } = await startCli()
  await createAda('--field', 'age=36')
  await run(['user', 'create', '--username', 'bob', '--field', 'age=36'])
  const unique = { USER_FIELDS: { ...USER_FIELDS, age: { type: 'integer', unique: true } } }
  await writeFile(join(cwd, 'latchkey.config.json'), JSON.stringify(unique))
  const refused = await run(['migrate'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(
    'USER_FIELDS.age: must be unique, but 1 user has a value that another user also has (pk 2);',
  )
  expect((await run(['user', 'set', '--pk', '2', 'age=37'])).code).toBe(0)
  expect((await run(['migrate'])).code).toBe(0)
})

test('the help says how', async () => {
  const { run } = await newCli()
  const { stdout } = await run(['user', 'set', '--help'])
  expect(stdout).toContain('Usage: latchkey user set <user> <name>=<value> … [options]')
})
