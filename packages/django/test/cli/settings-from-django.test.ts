import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from '../../../server/test/cli/support/cli.ts'
import {
  CLIENT_SECRET,
  jwtCookie,
  jwtMobile,
  MAIL_PASSWORD,
  SECRET,
} from '../settings/support/django-projects.ts'
import { accountUrls, found } from '../settings/support/recipe.ts'

const ARGS = ['settings', '--from-django', 'django.json']

async function newProject(dump: object = jwtCookie) {
  const cli = await newCli()
  await writeFile(join(cli.cwd, 'django.json'), JSON.stringify(dump))
  const at = (name: string) => join(cli.cwd, name)
  return { ...cli, at }
}

test('the config file is printed, and what to look at goes to standard error', async () => {
  const { run, cwd } = await newProject()
  const { code, stdout, stderr } = await run(ARGS)
  expect(code).toBe(0)
  const settings = JSON.parse(stdout)
  expect(settings).toMatchObject({ SECRET_KEY: SECRET, REST_AUTH: { USE_JWT: true } })
  expect(stderr).toMatch(/^REST_AUTH\.REGISTER_SERIALIZER: your own code .*$/m)
  expect(stderr).toMatch(
    /\n\d+ settings carried over, \d+ notes to read\. Latchkey [\d.]+ accepts the result\.\n$/,
  )
  expect(stderr).not.toContain(SECRET)
  expect(stderr).not.toContain(MAIL_PASSWORD)
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('programs get the settings and a list', async () => {
  const { run } = await newProject()
  const { stdout, stderr } = await run([...ARGS, '--json'])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    settings: expect.objectContaining({ SECRET_KEY: SECRET }),
    notes: expect.arrayContaining([
      { about: 'PUBLIC_URL', note: expect.stringContaining('https://') },
    ]),
  })
})

test('the dump may come by standard input', async () => {
  const { run } = await newCli()
  const input = JSON.stringify({ REST_AUTH: { USE_JWT: true } })
  for (const args of [['--from-django', '-'], ['--from-django=-']]) {
    const { code, stdout } = await run(['settings', ...args], { input })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ REST_AUTH: { USE_JWT: true } })
  }
})

test('the file that is written is the owner’s alone, and other commands take it', async () => {
  const { run, at } = await newProject()
  const { code, stdout } = await run([...ARGS, '--output', 'latchkey.config.json', '--json'])
  expect(code).toBe(0)
  const file = at('latchkey.config.json')
  expect(JSON.parse(stdout)).toEqual({ file, notes: expect.any(Array) })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const shown = await run(['settings'])
  expect(shown.stdout).toMatch(/^SIMPLE_JWT\.ACCESS_TOKEN_LIFETIME +file +15m$/m)
  expect((await run(['openapi'])).code).toBe(0)
})

test('a file that exists is replaced only when asked', async () => {
  const { run, at } = await newProject()
  const file = at('mine.json')
  await writeFile(file, 'precious', { mode: 0o644 })
  const refused = await run([...ARGS, '--output', 'mine.json'])
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: `${file} already exists. Use --force to replace it.\n`,
  })
  expect(await readFile(file, 'utf8')).toBe('precious')
  const forced = await run([...ARGS, '--output', 'mine.json', '--force'])
  expect(forced).toMatchObject({ code: 0, stdout: `Wrote ${file}\n` })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ SECRET_KEY: SECRET })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('providers are judged as the start judges them', async () => {
  const { run } = await newProject(jwtMobile)
  const { stdout, stderr } = await run(ARGS)
  const { PROVIDERS } = JSON.parse(stdout).SOCIALACCOUNT
  expect(Object.keys(PROVIDERS)).toEqual(['google'])
  expect(stderr).toMatch(/^SOCIALACCOUNT_PROVIDERS\.vk: is left out: .*no such provider/m)
  expect(stderr).toMatch(/^SOCIALACCOUNT_PROVIDERS\.github: has no APP/m)
  expect(stderr).not.toContain(CLIENT_SECRET)
})

test.each([
  ['[1]', 'django.json: must be an object with Django settings\n'],
  [
    `{"SECRET_KEY": "${SECRET}" oops}`,
    /^django\.json: is not valid JSON( \(line 1, column \d+\))?\n$/,
  ],
])('%s is refused, and nothing of it repeated', async (text, says) => {
  const { run, at } = await newProject()
  await writeFile(at('django.json'), text)
  const { code, stdout, stderr } = await run([...ARGS, '--output', 'new.json'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(says)
  expect(stderr).not.toContain(SECRET)
  expect(existsSync(at('new.json'))).toBe(false)
})

test.each([
  ['settings.py', `import os\nSECRET_KEY = '${SECRET}'\nDEBUG = True\n`, 'is Python source'],
  ['noise', `5 objects imported automatically\n{"SECRET_KEY": "${SECRET}"}\n`, 'has other lines'],
  ['noise behind it', `{"SECRET_KEY": "${SECRET}"}\nnow exiting\n`, 'has other lines'],
])('%s is answered with the recipe', async (_, text, says) => {
  const { run, at } = await newProject()
  await writeFile(at('django.json'), text)
  const { code, stdout, stderr } = await run([...ARGS, '--output', 'new.json'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`django.json: ${says}`)
  expect(stderr).toContain('python manage.py shell -c')
  expect(stderr).not.toContain(SECRET)
  expect(existsSync(at('new.json'))).toBe(false)
})

test('routes that would stop the start are left out, with a line', async () => {
  const urls = [
    ...accountUrls('auth/'),
    { path: 'auth/<uidb64>/<token>/', name: 'password_reset_confirm' },
    { path: 'auth/me/', view: 'dj_rest_auth.views.UserDetailsView' },
  ]
  const { run } = await newProject({ SECRET_KEY: SECRET, ...found({ urls }) })
  const { code, stdout, stderr } = await run([...ARGS, '--output', 'latchkey.config.json'])
  expect({ code, stdout }).toMatchObject({ code: 0 })
  expect(stderr).toMatch(/^ROUTES: some are left out: .*would mean both/m)
  const shown = await run(['settings'])
  expect(shown.stdout).toMatch(/^ROUTES +file +\{"user\/":\["me\/"\]\}$/m)
  expect((await run(['openapi'])).code).toBe(0)
})

test('a dump that is not there is refused', async () => {
  const { run } = await newCli()
  const { code, stderr } = await run(ARGS)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^django\.json: cannot be read \(ENOENT.*\)\n$/)
})

test('a folder that cannot be written to is refused', async () => {
  const { run, at } = await newProject()
  const { code, stderr } = await run([...ARGS, '--output', 'none/new.json'])
  expect(code).toBe(1)
  expect(stderr).toContain(`${at('none/new.json')}: cannot be written (ENOENT`)
})

test.each([
  [['--output', 'x.json'], '--output and --force can only be used together with --from-django.'],
  [['--force'], '--output and --force can only be used together with --from-django.'],
  [
    ['--from-django', 'django.json', '--set', 'PORT=1'],
    '--from-django cannot be used together with --config or --set.',
  ],
])('settings %j is called wrongly', async (args, says) => {
  const { run } = await newProject()
  const { code, stdout, stderr } = await run(['settings', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(says)
})
