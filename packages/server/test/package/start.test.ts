import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '../../dist')

/** A file of the program that is loaded at once, and one that an `import()` of the sources loads. */
const AT_ONCE = /(?<!=>)require\("\.\/([^"]+)"\)|(?:launch\(|from )['"](?:\.\/)?([^'"]+\.c?js)['"]/g
const LATER = /=>require\("\.\/([^"]+)"\)/g

const textOf = (file: string): string => readFileSync(join(DIST, file), 'utf8')

/** The files of `dist` that a file loads at once, with everything that they load at once. */
function filesWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, next, entered] of textOf(file).matchAll(AT_ONCE)) {
    filesWith(next ?? entered ?? '', found)
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

/** The file that `from` loads later, or a file that it loads: `name` and a digest. */
function lateFile(from: string, name: string): string {
  const later = [...filesWith(from)].flatMap((file) => [...textOf(file).matchAll(LATER)])
  const isIt = (file: string) => file.startsWith(`${name}-`) && file.length === name.length + 13
  return later.map(([, file = '']) => file).find(isIt) ?? ''
}

/** The file with a command, from the list of commands. */
function commandFile(name: string): string {
  const [list = ''] = [...filesWith('main.js')].map(textOf).filter((text) => text.includes(SUMMARY))
  const at = list.search(new RegExp(`[,{]"?${name}"?:\\{summary:`))
  return LATER_ONCE.exec(list.slice(at))?.[1] ?? ''
}

const SUMMARY = 'serve:{summary:'
const LATER_ONCE = new RegExp(LATER.source)

const serve = commandFile('serve')
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
  const test = commandFile('test')
  expect(ofTests(test)).toEqual([])
  expect(ofTests('testing.js')).not.toEqual([])
  for (const file of ['main.js', serveAlone, supervise, 'worker.js', 'index.js']) {
    expect(ofTests(file)).toEqual([])
    // Only the list of commands names a file of it, which the command loads.
    const named = [...filesWith(file)].filter((name) => /require\("\.\/testing/.test(textOf(name)))
    expect(named).toEqual([])
  }
})

test('neither the server nor the library loads what only a move from Django needs', () => {
  const ofDjango = (file: string) =>
    [...filesWith(file)].flatMap(modulesIn).filter((module) => module.includes('/django/src/'))
  expect(ofDjango(commandFile('import django'))).not.toEqual([])
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
