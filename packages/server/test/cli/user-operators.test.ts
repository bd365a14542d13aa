import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

test('the first operator is made on the command line, and the last one needs --force', async () => {
  const { run } = await newCli()
  await run(['user', 'create', '--username', 'root', '--superuser'])
  await run(['user', 'create', '--username', 'sam', '--staff'])
  const shown = async (name: string) =>
    JSON.parse((await run(['user', 'show', name, '--json'])).stdout) as object
  expect(await shown('root')).toMatchObject({ is_superuser: true, is_staff: false })
  expect(await shown('sam')).toMatchObject({ is_superuser: false, is_staff: true })

  const refused =
    'root (pk 1) is the last active superuser. Make another user a superuser first, or use --force.\n'
  const tries = [
    ['user', 'deactivate', 'root'],
    ['user', 'set', 'root', 'is_superuser=no'],
    ['user', 'delete', 'root', '--yes'],
  ]
  for (const args of tries) expect(await run(args)).toMatchObject({ code: 1, stderr: refused })
  expect(await shown('root')).toMatchObject({ is_superuser: true, is_active: true })
  for (const args of tries) expect((await run([...args, '--force'])).code).toBe(0)
})

test('user history names the operator of each change, also of a deleted account', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  await run(['user', 'deactivate', 'ada'])
  const { stdout } = await run(['user', 'history', 'ada'])
  expect(stdout).toMatch(/^AT +EVENT +BY +DETAILS\n/)
  expect(stdout).toMatch(/Z +user_deactivated +cli grace +operator=grace host=console\n/)
  expect(stdout).toMatch(/Z +user_created +cli grace +/)
  await run(['user', 'delete', 'ada', '--yes'])
  const { stdout: left } = await run(['user', 'history', '--pk', '1', '--json'])
  expect(JSON.parse(left)).toMatchObject([
    { event: 'user_deleted', user: 1, operator: { kind: 'cli', pk: null, name: 'grace' } },
  ])
})

test('user history refuses a pk that nobody has had', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const history = (pk: string) => run(['user', 'history', '--pk', pk])
  for (const pk of ['ada', '0', '1x']) {
    expect(await history(pk)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--pk must be a whole number/),
    })
  }
  expect(await history('99')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user with the pk 99.\n',
  })
})
