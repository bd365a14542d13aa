import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../cli/support/cli.ts'
import { untilRefused } from '../cli/support/held-login.ts'
import { install, pack, tsc } from './support.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

let packed: Awaited<ReturnType<typeof pack>>
let host: Awaited<ReturnType<typeof install>>

beforeAll(async () => {
  packed = await pack()
  host = await install(packed.tarball)
})
afterAll(async () => {
  await host.remove()
  await packed.remove()
})

const installed = (...path: string[]) => join(host.folder, 'node_modules/latchkey', ...path)

test('it holds the program, its types and its documents, and nothing else', () => {
  const { files } = packed
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'package.json',
      'bin/latchkey.js',
      'dist/index.js',
      'dist/main.js',
      'dist/types/index.d.ts',
      'dist/pages/manifest.json',
      'dist/pages/licences.md',
      'dist/pages/admin/manifest.json',
      'words/de.json',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/sbom.cdx.json',
      'dist/api-page/manifest.json',
    ]),
  )
  expect(files.filter((file) => /^(src|test)\/|\.test\./.test(file))).toEqual([])
  expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([])
})

test('its README points nowhere inside the package', () => {
  const links = [...readFileSync(installed('README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, link = ''] of links) expect(link).toMatch(/^(https?:\/\/|#)/)
})

test('every file of the program is ASCII, and has a map with all the sources in it', () => {
  const programs = readdirSync(installed('dist')).filter((name) => /\.c?js$/.test(name))
  // Some only lead to others, and one belongs to the bundler.
  const passesOn = (name: string) =>
    readFileSync(installed('dist', name), 'utf8')
      .trim()
      .split(/;|\n/)
      .every((statement) => /^(export |import |launch\(|$)/.test(statement))
  const written = programs.filter(
    (name) => !name.startsWith('rolldown-runtime-') && !passesOn(name),
  )
  expect(written.length).toBeGreaterThan(10)
  for (const name of written) {
    const map = JSON.parse(readFileSync(installed('dist', `${name}.map`), 'utf8'))
    const program = readFileSync(installed('dist', name), 'utf8')
    expect(program).toContain(`sourceMappingURL=${name}.map`)
    // One character beyond Latin-1 would double the memory that the whole file takes.
    expect(program.match(/[\u0100-\uffff]/g), name).toBeNull()
    // The launcher reads Latin-1. The bundler escapes other characters, except in tagged templates.
    const code = program.replace(/\/\*.*?\*\//gs, '')
    expect(code.match(/[\u0080-\u00ff]/g), name).toBeNull()
    expect(map.sourcesContent).toHaveLength(map.sources.length)
    expect(map.sourcesContent).not.toContain(null)
  }
})

test('it keeps the licence of every package that it contains', () => {
  const texts = readFileSync(installed('dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of [
    'fastify',
    'kysely',
    'pino',
    '@simplewebauthn/server',
    'jose',
    'swagger-ui-dist',
  ]) {
    expect(texts).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
})

test('publint finds nothing', async () => {
  const { messages } = await publint({ pkgDir: installed(), strict: true, pack: false })
  expect(messages).toEqual([])
})

test('a strict host compiles against it', () => {
  writeFileSync(
    join(host.folder, 'host.ts'),
    `import { type Auth, type AuthOptions, createAuth, loadSettings, SettingsError, type SettingsInput } from 'latchkey'
     import Fastify from 'fastify'
     const settings: SettingsInput = { SECRET_KEY: 'a'.repeat(50), DATABASE_URL: 'sqlite::memory:' }
     const options: AuthOptions = { migrate: true }
     const auth: Auth = await createAuth(settings, options)
     const app = Fastify()
     await app.register(auth.fastify, { prefix: '/auth' })
     // @ts-expect-error A host does not reach inside.
     auth.services
     // @ts-expect-error No setting has this name.
     createAuth({ SECRET_KY: '' })
     export const loaded: SettingsInput = await loadSettings()
     export const isOurs = (error: unknown): boolean => error instanceof SettingsError`,
  )
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--noEmit']
  const args = [tsc, ...options, '--types', 'node', 'host.ts']
  execFileSync(process.execPath, args, { cwd: host.folder, encoding: 'utf8' })
})

test('npx finds its program, which serves and lets a user log in', async () => {
  const { folder } = host
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0' }
  const npx = (...args: string[]) => ['exec', '--offline', '--', 'latchkey', ...args]
  const create = ['--username', ADA.username, '--password-stdin']
  const input = ADA.password
  execFileSync('npm', npx('user', 'create', ...create), { cwd: folder, env, input })
  expect(existsSync(join(folder, 'latchkey-data/latchkey.db'))).toBe(true)

  // In its own process group, since npm starts a child.
  const child = spawn('npm', npx('serve', '--json'), { cwd: folder, env, detached: true })
  const ended = once(child, 'exit')
  const signal = (name: NodeJS.Signals) => process.kill(-Number(child.pid), name)
  try {
    const [line] = await once(child.stdout, 'data')
    const { url } = JSON.parse(String(line).split('\n')[0] ?? '')
    const { logIn, isLoggedIn } = client(url)
    const credential = await logIn(ADA)
    expect(credential.status).toBe(200)
    expect(await isLoggedIn(credential)).toBe(true)
    signal('SIGTERM')
    await ended
    await untilRefused(url)
  } catch (error) {
    signal('SIGKILL')
    throw error
  }
})

test('it ends with success when asked to', async () => {
  const { folder } = host
  const env = { PATH: process.env.PATH, PORT: '0' }
  const child = spawn(join(folder, 'node_modules/.bin/latchkey'), ['serve'], { cwd: folder, env })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
