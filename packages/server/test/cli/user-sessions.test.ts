import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

async function withLogin() {
  const cli = await newCli()
  await cli.createAda()
  const { logIn, isLoggedIn } = await cli.serve()
  return { ...cli, credential: await logIn(ADA), isLoggedIn }
}

test('an operator sees the logins of a user', async () => {
  const { run } = await withLogin()
  const { code, stdout, stderr } = await run(['user', 'sessions', 'ada'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [header, ...rows] = stdout.trim().split('\n')
  expect(header).toMatch(/^ID +METHOD +CREATED +LAST USED +EXPIRES +ADDRESS +BROWSER$/)
  expect(rows.map((row) => row.split(/ +/).slice(0, 2)).toSorted()).toEqual([
    ['1', 'password'],
    ['token', 'token'],
  ])
})

test('programs get the same as the user, without what only a request can tell', async () => {
  const { run } = await withLogin()
  const { stdout } = await run(['user', 'sessions', 'ada', '--json'])
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const times = { created_at: time, last_used_at: time, expires_at: time }
  expect(JSON.parse(stdout)).toContainEqual({
    id: '1',
    method: 'password',
    ...times,
    address: '127.0.0.1',
    user_agent: expect.any(String),
  })
})

test('nobody is logged in before the first login', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const { stdout } = await run(['user', 'sessions', 'ada'])
  expect(stdout).toBe('ada (pk 1) is not logged in anywhere.\n')
})

test('an operator ends single logins, and the history says who did it', async () => {
  const { run, credential, isLoggedIn } = await withLogin()
  expect(await isLoggedIn(credential)).toBe(true)
  const { code, stdout, stderr } = await run(['user', 'end-session', 'ada', '1', 'token'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe('The logins 1, token of ada (pk 1) have ended.\n')
  expect(await isLoggedIn(credential)).toBe(false)
  const shown = await run(['user', 'show', 'ada'])
  expect(shown.stdout).toMatch(/login_ended +operator=.* login=1$/m)
  const again = await run(['user', 'end-session', 'ada', '1', '--json'])
  expect(again).toMatchObject({ code: 1, stderr: 'ada (pk 1) has no login 1.\n' })
})

test('programs get the ids that have ended, beside a field of the deployment with that name', async () => {
  const { run } = await withLogin()
  const declared = ['--set', 'USER_FIELDS={"ended": {"type": "string"}}']
  await run(['user', 'set', 'ada', 'ended=never', ...declared])
  const ending = ['user', 'end-session', '--pk', '1', 'token', '--json', ...declared]
  const { stdout } = await run(ending)
  const fields = { ended: 'never' }
  expect(JSON.parse(stdout)).toMatchObject({ pk: 1, username: 'ada', ended: ['token'], fields })
})

test('which login to end must be said', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const { code, stderr } = await run(['user', 'end-session', 'ada'])
  expect(code).toBe(2)
  expect(stderr).toContain('<id> is missing')
})
