import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findEntry } from '../../src/settings/names.ts'
import { newCli } from '../cli/support/cli.ts'
import { assignedNames, invocations, settingLikeNames } from './support/named-in.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const FILES = [
  'Dockerfile',
  'compose.yaml',
  'deploy/latchkey.service',
  'docs/deployment.md',
  'docs/postgresql.md',
]

/** Names of Node, of Docker, of PostgreSQL's image, of SSH and of socket families. */
const FOREIGN = new Set([
  'NODE_ENV',
  'NODE_VERSION',
  'PATH',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'SQL_ASCII',
  'SSH_CONNECTION',
  'AF_INET',
  'AF_INET6',
  'AF_UNIX',
  'AF_NETLINK',
])

test.each(FILES)('every command and option that %s names exists', async (file) => {
  const { run } = await newCli()
  const named = invocations(read(file))
  if (file !== 'compose.yaml') expect(named).not.toEqual([])
  for (const { words, options } of named) {
    const { code, stdout } = await run([...words, '--help'])
    expect({ words, code }).toEqual({ words, code: 0 })
    for (const option of options) expect(stdout, words.join(' ')).toContain(`${option} `)
  }
})

test.each(FILES)('every setting that %s names exists', (file) => {
  const text = read(file)
  const names = [...assignedNames(text), ...settingLikeNames(text)]
  expect(names).toContain('DATABASE_URL')
  for (const name of names) {
    expect({ name, exists: FOREIGN.has(name) || findEntry(name) !== undefined }).toEqual({
      name,
      exists: true,
    })
  }
})

test('a command or a setting that does not exist is noticed', async () => {
  const { run } = await newCli()
  const [named] = invocations('```sh\nlatchkey user lst --json | head\n```')
  expect(named).toEqual({ words: ['user', 'lst'], options: ['--json'] })
  expect((await run([...(named?.words ?? []), '--help'])).code).toBe(2)
  expect(settingLikeNames('`REST_AUTH_USE_JTW` and DATABASE_URI=x')).toEqual([
    'REST_AUTH_USE_JTW',
    'DATABASE_URI',
  ])
  expect(findEntry('DATABASE_URI')).toBeUndefined()
})

test('every file that the image copies exists', () => {
  const copies = [...read('Dockerfile').matchAll(/^COPY ([^-].*) \S+$/gm)]
  expect(copies.length).toBeGreaterThan(4)
  const kept = read('.dockerignore')
    .split('\n')
    .flatMap((line) => /^!(.*)$/.exec(line)?.[1] ?? [])
  for (const source of copies.flatMap(([, sources = '']) => sources.split(' '))) {
    expect(existsSync(join(ROOT, source)), source).toBe(true)
    const top = dirname(source) === '.' ? source : (source.split('/')[0] ?? '')
    expect(kept).toContain(top)
  }
})

test('the image has every folder of the package', () => {
  const { files } = JSON.parse(read('packages/server/package.json')) as { files: string[] }
  const folders = files.filter((file) => !file.includes('.'))
  const copied = [...read('Dockerfile').matchAll(/^COPY .* (\S+)$/gm)].map(([, to]) => to)
  expect(copied).toEqual(expect.arrayContaining(folders.map((one) => `packages/server/${one}`)))
})

test('what is installed for production leaves out the peers that only tests use', () => {
  for (const file of ['Dockerfile', 'docs/deployment.md']) {
    const [install = ''] = /^.*npm ci --omit=dev.*$/m.exec(read(file)) ?? []
    expect(install, file).toContain(' --legacy-peer-deps')
  }
})
