import { expect, onTestFinished, test, vi } from 'vitest'
import { client, newCli, ONCE } from '../../../server/test/cli/support/cli.ts'
import { startOriginal } from '../support/original.ts'

type Report = {
  requests: number
  skipped: string[]
  differences: { step: string; at: string; old: string; new: string }[]
  explained: { step: string; at: string; why: string }[]
}

async function newPair(changes: Parameters<typeof startOriginal>[0] = {}, ...settings: string[]) {
  const cli = await newCli()
  await cli.createAda()
  const { url } = await cli.serve(settings.flatMap((one) => ['--set', one]))
  const original = await startOriginal(changes)
  keepNoConnections()
  const check = async (more: string[] = [], input = '') => {
    const args = ['compat-check', original.url, url, '--json', ...more]
    const { code, stdout, stderr } = await cli.run(args, { input })
    return { code, stderr, report: JSON.parse(stdout || '{}') as Report, stdout }
  }
  return { ...cli, url, original, check }
}

function keepNoConnections(): void {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, ...ONCE } as Record<string, string> }),
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
}

test('two services that answer alike pass, and deliberate differences are explained', async () => {
  const { check } = await newPair()
  const { code, report } = await check()
  expect(report.differences).toEqual([])
  expect(code).toBe(0)
  const reasons = report.explained.map(({ step, why }) => `${step}: ${why}`)
  expect(reasons).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^login\/ with a stale token: A stale credential/),
      expect.stringMatching(/^login without its slash: Every path/),
      expect.stringMatching(/^a path that is not there: Unknown paths/),
      expect.stringMatching(/^login\/ with broken JSON: Another parser/),
    ]),
  )
})

test('other words, another status and another challenge are reported, each with its place', async () => {
  const { check } = await newPair({
    'GET user/': {
      status: 401,
      body: { detail: 'Who are you?' },
      headers: { 'www-authenticate': 'Session' },
    },
    'POST password/reset/': { status: 204, body: null },
  })
  const { code, report, stderr } = await check()
  expect(code).toBe(1)
  expect(stderr).toContain('do not answer alike')
  expect(report.differences).toEqual(
    expect.arrayContaining([
      {
        step: 'user/ of nobody',
        at: 'body.detail',
        old: '"Who are you?"',
        new: '"Authentication credentials were not provided."',
      },
      { step: 'user/ of nobody', at: 'header www-authenticate', old: 'Session', new: 'Token' },
      { step: 'password/reset/ of nobody', at: 'status', old: '204', new: '200' },
    ]),
  )
})

test('other settings on the new side are seen', async () => {
  const { check } = await newPair({}, 'ACCOUNT.LOGIN_METHODS=email')
  const { report } = await check()
  expect(report.differences).toContainEqual({
    step: 'login/ without a name',
    at: 'body.non_field_errors.0',
    old: '"Must include either \\"username\\" or \\"email\\" and \\"password\\"."',
    new: '"Must include \\"email\\" and \\"password\\"."',
  })
})

test('with a user it logs in on both, prints no credential, and ends no other login', async () => {
  const { check, original, url } = await newPair()
  const { logIn, isLoggedIn } = client(url)
  const other = await logIn({ username: 'ada', password: 'a-good-password' })
  const { report, code, stdout } = await check(
    ['--user', 'ada', '--password-stdin'],
    'a-good-password\n',
  )
  expect(report.differences).toEqual([])
  expect(code).toBe(0)
  expect(stdout).not.toMatch(/[0-9a-f]{40}/)
  const paths = original.heard.map(({ path }) => path)
  expect(paths.filter((path) => path === '/auth/login/').length).toBeGreaterThan(1)
  // The token key is the same on all devices of the user.
  const leaving = original.heard.filter(({ path }) => path === '/auth/logout/')
  expect(leaving.map(({ body, headers }) => [body, headers.authorization])).toEqual([
    ['{}', undefined],
  ])
  expect(await isLoggedIn(other)).toBe(true)
})

test('a login that waits for the second factor explains what cannot be asked after it', async () => {
  const { check, inDatabase } = await newPair()
  const app = { user_id: 1, sealed_secret: '', last_step: 0, created_at: 0, last_used_at: null }
  await inDatabase(({ db }) => db.insertInto('totp_authenticators').values(app).execute())
  const { report, code } = await check(['--user', 'ada', '--password-stdin'], 'a-good-password\n')
  expect(report.differences).toEqual([])
  expect(code).toBe(0)
  expect(report.explained).toContainEqual(
    expect.objectContaining({ step: 'user/', why: expect.stringContaining('second factor') }),
  )
})

test('it registers nobody, and names no address that could exist', async () => {
  const { check, original, run } = await newPair()
  await check()
  const bodies = original.heard.map(({ body }) => body).join('\n')
  expect(bodies.match(/[\w-]+@[\w.-]+/g)?.every((one) => one.endsWith('@example.invalid'))).toBe(
    true,
  )
  expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toHaveLength(1)
  expect(JSON.parse((await run(['mail', 'list', '--json'])).stdout)).toEqual([])
})

test('two services with JSON Web Tokens are compared to the end of the login', async () => {
  const { check, url } = await newPair({}, 'REST_AUTH.USE_JWT=true')
  const other = await newPair({}, 'REST_AUTH.USE_JWT=true')
  const { stdout, code } = await other.run(
    ['compat-check', url, other.url, '--user', 'ada', '--password-stdin', '--json'],
    { input: 'a-good-password\n' },
  )
  expect(JSON.parse(stdout)).toMatchObject({ differences: [], explained: [] })
  expect(code).toBe(0)
  const { report } = await check(['--user', 'ada', '--password-stdin'], 'a-good-password\n')
  expect(report.differences).toContainEqual({
    step: 'login/',
    at: 'body.access',
    old: '-',
    new: '<JWT>',
  })
})

test('tokens under the names of dj-rest-auth below 4 are compared to the end of the login', async () => {
  const jwt = 'REST_AUTH.USE_JWT=true'
  const former = 'REST_AUTH.ANSWER_NAMES={"access":"access_token","refresh":"refresh_token"}'
  const both =
    'REST_AUTH.ANSWER_NAMES={"access":["access_token","access"],"refresh":["refresh_token","refresh"]}'
  const old = await newPair({}, jwt, former)
  for (const names of [former, both]) {
    const young = await newPair({}, jwt, names)
    const { stdout, code } = await young.run(
      ['compat-check', old.url, young.url, '--user', 'ada', '--password-stdin', '--json'],
      { input: 'a-good-password\n' },
    )
    const report = JSON.parse(stdout)
    expect({ code, ...report }).toMatchObject({ code: 0, differences: [], skipped: [] })
    const reasons = report.explained.map(({ at, why }: { at: string; why: string }) => [at, why])
    const expected = expect.stringContaining('REST_AUTH.ANSWER_NAMES')
    if (names === both) expect(reasons).toContainEqual(['body.access', expected])
    else expect(reasons).toEqual([])
  }
})

test('what could not be asked is named', async () => {
  const { run, check, url, original } = await newPair()
  const { report } = await check(['--user', 'ada', '--password-stdin'], 'a-good-password\n')
  expect(report.skipped).toContain('token/refresh/')
  expect(report.requests).toBeGreaterThanOrEqual(30)
  const { stdout } = await run(['compat-check', original.url, url])
  expect(stdout).not.toContain('Not asked')
})

test('a login whose refresh token is renewed is ended, too', async () => {
  const rotating = ['REST_AUTH.USE_JWT=true', 'SIMPLE_JWT.ROTATE_REFRESH_TOKENS=true']
  const [old, young] = [await newPair({}, ...rotating), await newPair({}, ...rotating)]
  const { code } = await young.run(
    ['compat-check', old.url, young.url, '--user', 'ada', '--password-stdin'],
    { input: 'a-good-password\n' },
  )
  expect(code).toBe(0)
  for (const { run } of [old, young]) {
    expect(JSON.parse((await run(['user', 'sessions', 'ada', '--json'])).stdout)).toEqual([])
  }
})

test('methods that every answer names, and another challenge, are no surprise', async () => {
  const { check } = await newPair(
    {
      'GET user/': {
        status: 401,
        body: { detail: 'Authentication credentials were not provided.' },
        headers: { 'www-authenticate': 'Token', allow: 'GET, PUT, PATCH, HEAD, OPTIONS' },
      },
    },
    'REST_AUTH.USE_JWT=true',
  )
  const { report } = await check()
  const asked = 'user/ of nobody'
  expect(report.differences.filter(({ step }) => step === asked)).toEqual([])
  expect(report.explained.filter(({ step }) => step === asked)).toEqual([
    expect.objectContaining({ at: 'header www-authenticate' }),
  ])
})

test('redirects are not followed', async () => {
  const elsewhere = await startOriginal()
  const { check } = await newPair({
    'POST logout/': { status: 302, body: {}, headers: { location: elsewhere.url } },
  })
  const { report } = await check()
  expect(elsewhere.heard).toEqual([])
  expect(report.differences).toContainEqual(
    expect.objectContaining({ step: 'logout/ of nobody', at: 'status', old: '302', new: '200' }),
  )
})

test.each([
  [['http://127.0.0.1:9/auth/'], 2, 'is missing'],
  [['ftp://x/', 'http://127.0.0.1:9/'], 2, 'The old base URL must be like'],
  [['http://127.0.0.1:9/', 'http://127.0.0.1:9/?x'], 2, 'The new base URL must be like'],
  [['http://127.0.0.1:9/', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/'], 2, 'takes only one'],
  [['http://127.0.0.1:9/', 'http://127.0.0.1:9/', '--user', 'ada'], 2, 'must be used together'],
  [['http://127.0.0.1:9/', 'http://127.0.0.1:9/'], 1, 'does not answer'],
])('%j is refused with a sentence', async (args, code, words) => {
  const { run } = await newCli()
  const refused = await run(['compat-check', ...args])
  expect(refused.code).toBe(code)
  expect(refused.stderr).toContain(words)
})

test.each(['http://ada:hunter2@127.0.0.1:9/', 'http://:hunter2@127.0.0.1:9/', 'ada:hunter2@x'])(
  'the password in %s is not printed',
  async (url) => {
    const { run } = await newCli()
    const { code, stdout, stderr } = await run(['compat-check', 'http://127.0.0.1:9/', url])
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain('hunter2')
  },
)

test('a place without the endpoints is refused', async () => {
  const { run, url } = await newPair()
  const { code, stderr } = await run(['compat-check', url, `${url}wrong/`])
  expect(code).toBe(1)
  expect(stderr).toContain('Are the endpoints really there?')
})

test('secure cookies, and what Django says of a uid that is no UUID, are on purpose', async () => {
  const { check } = await newPair(
    {
      'POST password/reset/confirm/': {
        status: 400,
        body: { non_field_errors: ['“zzzzzz” is not a valid UUID.'] },
      },
    },
    'PUBLIC_URL=https://id.example.com',
  )
  const { report } = await check(['--user', 'ada', '--password-stdin'], 'a-good-password\n')
  const explained = report.explained.map(({ step, at, why }) => `${step} ${at}: ${why}`)
  expect(explained).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^login\/ cookie sessionid: Cookies are Secure/),
      expect.stringMatching(/^login\/ cookie csrftoken: Cookies are Secure/),
      expect.stringMatching(
        /^password\/reset\/confirm\/ with a made-up link body\.uid.*: A malformed uid/,
      ),
    ]),
  )
  const places = report.differences.map(({ step, at }) => `${step} ${at}`)
  expect(places.filter((place) => /cookie|made-up link/.test(place))).toEqual([])
})
