import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

test('the list has a line for each user, by pk', async () => {
  const { createAda, run } = await newCli()
  await createAda('--email', 'ada@example.com', '--verified')
  await run(['user', 'create', '--username', 'bob', '--inactive'])
  const { code, stdout, stderr } = await run(['user', 'list'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^PK +USERNAME +EMAIL +VERIFIED +ACTIVE +JOINED +LAST LOGIN$/),
    expect.stringMatching(/^1 +ada +ada@example\.com +yes +yes +\d{4}-\S+Z +-$/),
    expect.stringMatching(/^2 +bob +- +no +no +\d{4}-\S+Z +-$/),
    '',
  ])
})

test('a list of nobody is a header, and for programs an empty array', async () => {
  const { run } = await newCli()
  await run(['migrate'])
  expect((await run(['user', 'list'])).stdout).toMatch(/^PK .*\n$/)
  expect((await run(['user', 'list', '--json'])).stdout).toBe('[]\n')
})

test('programs get one array, even of many pages', async () => {
  const { run, inDatabase } = await newCli()
  await run(['migrate'])
  const users = Array.from({ length: 1200 }, (_, index) => newUser(`user${index + 1}`))
  await inDatabase(async ({ db }) => {
    for (let at = 0; at < users.length; at += 100) {
      await db
        .insertInto('users')
        .values(users.slice(at, at + 100))
        .execute()
    }
  })
  const listed: { pk: number }[] = JSON.parse((await run(['user', 'list', '--json'])).stdout)
  expect(listed.map(({ pk }) => pk)).toEqual(users.map((_, index) => index + 1))
  const lines = (await run(['user', 'list'])).stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(1 + users.length)
  expect(lines.filter((line) => line.startsWith('PK'))).toHaveLength(1)
})

const newUser = (username: string) =>
  ({
    username,
    username_key: username,
    email: '',
    email_key: null,
    email_verified: 0,
    first_name: '',
    last_name: '',
    password: '!',
    is_active: 1,
    joined_at: 0,
    last_login_at: null,
  }) as const

test('some users are found by a text, a state and a time, in an order', async () => {
  const { createAda, run } = await newCli()
  await createAda('--email', 'ada@example.com', '--verified')
  await run(['user', 'create', '--username', 'adam', '--inactive'])
  await run(['user', 'create', '--username', 'bob', '--staff'])
  const found = async (...options: string[]) => {
    const users: { username: string }[] = JSON.parse(
      (await run(['user', 'list', '--json', ...options])).stdout,
    )
    return users.map(({ username }) => username)
  }
  expect(await found('--q', 'AD')).toEqual(['ada', 'adam'])
  expect(await found('--q', 'ad', '--state', 'inactive')).toEqual(['adam'])
  expect(await found('--state', 'staff')).toEqual(['bob'])
  expect(await found('--sort=-username')).toEqual(['bob', 'adam', 'ada'])
  expect(await found('--sort=-username', '--limit', '2')).toEqual(['bob', 'adam'])
  expect(await found('--since', '2999-01-01T00:00:00Z')).toEqual([])
  expect(await run(['user', 'list', '--state', 'asleep'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^state: "asleep" is not a valid choice/),
  })
})
