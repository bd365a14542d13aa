import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const PASSWORD = 'a-good-password'
const ADA = { username: 'ada', password: PASSWORD }

test.each(['ada', 'ADA', 'ada@example.com', '1'])('a user is found as %s', async (name) => {
  const { createAda, run } = await newCli()
  await createAda('--email', 'ada@example.com')
  const { code, stdout, stderr } = await run(['user', 'show', name])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^username +ada$/m)
  expect(stdout).toMatch(/^last_login +-$/m)
  expect(stdout).not.toMatch(/argon2|a-good-password/)
})

const VERBS = ['show', 'activate', 'deactivate', 'delete', 'set-password', 'reset-mfa', 'revoke']

test.each([...VERBS, 'sessions'])('user %s says that there is no such user', async (verb) => {
  const { createAda, run } = await newCli()
  await createAda()
  const options = verb === 'set-password' ? ['--password-stdin'] : []
  expect(await run(['user', verb, 'bob', ...options], { input: 'x' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user "bob".\n',
  })
})

test('a deactivated user is logged out and cannot log in until activated', async () => {
  const { createAda, run, serve } = await newCli()
  await createAda()
  const { logIn, isLoggedIn } = await serve()
  const credential = await logIn(ADA)
  expect(await isLoggedIn(credential)).toBe(true)

  const { code, stdout } = await run(['user', 'deactivate', 'ada'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'ada (pk 1) is inactive and logged out everywhere.\n',
  })
  expect(await isLoggedIn(credential)).toBe(false)
  expect((await logIn(ADA)).status).toBe(400)

  const activated = await run(['user', 'activate', 'ada', '--json'])
  expect(JSON.parse(activated.stdout)).toMatchObject({ pk: 1, is_active: true })
  expect((await logIn(ADA)).status).toBe(200)
})

test('a new password replaces the old one and logs out everywhere', async () => {
  const { createAda, run, serve } = await newCli()
  await createAda()
  const { logIn, isLoggedIn } = await serve()
  const credential = await logIn(ADA)

  const set = ['user', 'set-password', 'ada', '--password-stdin']
  const { code, stdout, stderr } = await run(set, { input: 'another-password\n' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe('ada (pk 1) has a new password and is logged out everywhere.\n')
  expect(await isLoggedIn(credential)).toBe(false)
  expect((await logIn(ADA)).status).toBe(400)
  expect((await logIn({ ...ADA, password: 'another-password' })).status).toBe(200)
})

test('a blank new password is refused, and the old one stays', async () => {
  const { createAda, run, serve } = await newCli()
  await createAda()
  expect(await run(['user', 'set-password', 'ada', '--password-stdin'], { input: '\n' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'password: This field may not be blank.\n',
  })
  const { logIn } = await serve()
  expect((await logIn(ADA)).status).toBe(200)
})

test('a new password comes by standard input only', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const { code, stderr } = await run(['user', 'set-password', 'ada'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^The option --password-stdin is required\.\nUsage: .*\n$/)
})

test('at a terminal the command says how to end the password', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const args = ['user', 'set-password', 'ada', '--password-stdin']
  const { code, stderr } = await run(args, { input: 'another-password\n', isTerminal: true })
  expect(code).toBe(0)
  expect(stderr).toMatch(/^Type the password.*Ctrl-D.*\n$/)
})

test('a revoked user is logged out and may log in again', async () => {
  const { createAda, run, serve } = await newCli()
  await createAda()
  const { logIn, isLoggedIn } = await serve()
  const credential = await logIn(ADA)
  const { code, stdout } = await run(['user', 'revoke', 'ada'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'ada (pk 1) is logged out everywhere.\n' })
  expect(await isLoggedIn(credential)).toBe(false)
  expect((await logIn(ADA)).status).toBe(200)
})

test('a user is deleted without a question when --yes is given', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  expect(await run(['user', 'delete', 'ada', '--yes'])).toEqual({
    code: 0,
    stdout: 'ada (pk 1) is deleted.\n',
    stderr: '',
  })
  expect((await run(['user', 'show', 'ada'])).code).toBe(1)
})

test.each(['y\n', 'Y\n', 'yes\n'])('a user is deleted by the answer %j', async (input) => {
  const { createAda, run } = await newCli()
  await createAda()
  const { code, stderr } = await run(['user', 'delete', 'ada'], { input, isTerminal: true })
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'Delete ada (pk 1) and all their data? [y/N] ',
  })
  expect((await run(['user', 'show', 'ada'])).code).toBe(1)
})

test.each(['\n', 'n\n', 'yesterday\n', ''])('the answer %j deletes nobody', async (input) => {
  const { createAda, run } = await newCli()
  await createAda()
  const { code, stdout, stderr } = await run(['user', 'delete', 'ada'], { input, isTerminal: true })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe('Delete ada (pk 1) and all their data? [y/N] Nothing was deleted.\n')
  expect((await run(['user', 'show', 'ada'])).code).toBe(0)
})

test('an answer may come through a pipe', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  expect((await run(['user', 'delete', 'ada'], { input: 'n\n' })).code).toBe(1)
  expect((await run(['user', 'show', 'ada'])).code).toBe(0)
  expect((await run(['user', 'delete', 'ada'], { input: 'y\n' })).code).toBe(0)
  expect((await run(['user', 'show', 'ada'])).code).toBe(1)
})

test('nobody is deleted when there is nobody to ask', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  expect(await run(['user', 'delete', 'ada'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Delete ada (pk 1) and all their data? [y/N] This needs a confirmation, but there is no terminal to ask on. Use --yes to delete without asking.\n',
  })
  expect((await run(['user', 'show', 'ada'])).code).toBe(0)
})
