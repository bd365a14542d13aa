import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '../../dist')

/** The files of `dist` that a file loads at once, with everything that they load at once. */
function filesWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(join(DIST, file), 'utf8')
  // Dynamic imports have parentheses, and no semicolon stands inside of a static one.
  for (const [, next = ''] of text.matchAll(/\b(?:import|export)\b[^;()"]*"\.\/([^"]+)";/g)) {
    filesWith(next, found)
  }
  return found
}

/** The modules in a file of `dist`, according to its source map. Code of the bundler has none. */
function modulesIn(file: string): string[] {
  const map = join(DIST, `${file}.map`)
  return existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : []
}

function packagesLoadedWith(file: string): Set<string> {
  const modules = [...filesWith(file)].flatMap(modulesIn)
  const packages = modules.map((module) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1])
  return new Set(packages.filter((name) => name !== undefined))
}

/** The name of the file that `from` loads later, or a file that it loads: `name` and a digest. */
function lateFile(from: string, name: string): string {
  const texts = [...filesWith(from)].map((file) => readFileSync(join(DIST, file), 'utf8'))
  const pattern = new RegExp(`import\\(\`\\./(${name}-[^\`]{8}\\.js)\`\\)`)
  const [, file = ''] = pattern.exec(texts.join('\n')) ?? []
  return file
}

const serve = lateFile('main.js', 'serve')
const serveAlone = lateFile(serve, 'serve-alone')
const supervise = lateFile(serve, 'supervise')

const WHAT_WAITS = [
  'pg',
  'jose',
  'nodemailer',
  '@zxcvbn-ts/language-common',
  '@simplewebauthn/server',
  'ajv',
  '@fastify/fast-json-stringify-compiler',
]

test('the start of the server loads what it needs, and not what only some requests need', () => {
  for (const file of [serveAlone, 'worker.js']) {
    const packages = packagesLoadedWith(file)
    expect(packages).toContain('fastify')
    expect(packages).toContain('kysely')
    expect(WHAT_WAITS.filter((name) => packages.has(name))).toEqual([])
  }
})

test('the supervisor of several workers loads nothing of the service', () => {
  const packages = packagesLoadedWith(supervise)
  expect(packages).toContain('pino')
  expect(packages).not.toContain('fastify')
  expect(packages).not.toContain('kysely')
})

test('the library loads as little when it is imported', () => {
  const packages = packagesLoadedWith('index.js')
  expect(packages).toContain('kysely')
  expect(WHAT_WAITS.filter((name) => packages.has(name))).toEqual([])
})

test('a list of commands loads nothing of the service', () => {
  expect([...packagesLoadedWith('main.js')]).toEqual([])
})

test('neither the server nor the library loads or knows the test service', () => {
  const ofTests = (file: string) =>
    [...filesWith(file)].flatMap(modulesIn).filter((module) => /\/src\/testing\b/.test(module))
  const test = lateFile('main.js', 'test')
  expect(ofTests(test)).toEqual([])
  expect(ofTests('testing.js')).not.toEqual([])
  for (const file of ['main.js', serveAlone, supervise, 'worker.js', 'index.js']) {
    expect(ofTests(file)).toEqual([])
    const texts = [...filesWith(file)].map((name) => readFileSync(join(DIST, name), 'utf8'))
    // Only the list of commands names a file of it, which the command loads.
    expect(texts.filter((text) => /import\(`\.\/testing/.test(text))).toEqual([])
  }
})

test('neither the server nor the library loads what only a move from Django needs', () => {
  const ofDjango = (file: string) =>
    [...filesWith(file)].flatMap(modulesIn).filter((module) => module.includes('/django/src/'))
  expect(ofDjango(lateFile('main.js', 'import'))).not.toEqual([])
  for (const file of ['main.js', serveAlone, 'worker.js', 'index.js']) {
    expect(ofDjango(file)).toEqual([])
  }
})

test('it keeps an object of process.nextTick, whose class V8 would drop otherwise', () => {
  const atExit = `process.on('exit', () => {
    const kept = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'tick')
    console.error(Object.keys(globalThis[kept] ?? {}).join())
  })`
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(atExit)}`,
      join(DIST, 'main.js'),
      'version',
    ],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('callback,args\n')
})
