import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../bin/latchkey.js', import.meta.url))

const VERIFY = new URL('../../dist/verify.js', import.meta.url).href

/** Runs in the process of the program, and records every module that is imported and every script. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { register, syncBuiltinESMExports } from 'node:module'
  import { pathToFileURL } from 'node:url'
  const { readFileSync } = fs
  const record = (url) => fs.appendFileSync(process.env.LOADED, url + '\\n')
  fs.readFileSync = (file, ...options) => {
    if (/\\.c?js$/.test(file) && !file.includes('code-cache')) record(pathToFileURL(file))
    return readFileSync(file, ...options)
  }
  syncBuiltinESMExports()
  register('data:text/javascript,' + encodeURIComponent(\`
    import { appendFileSync } from 'node:fs'
    export function load(url, context, next) {
      appendFileSync(process.env.LOADED, url + '\\\\n')
      return next(url, context)
    }\`))
`)}`

/** The files that a run of Node has loaded, ours and those of packages. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-loaded-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const LOADED = join(cwd, 'loaded.txt')
  const env = { PATH: process.env.PATH, LOADED }
  const { status } = spawnSync(process.execPath, ['--import', WATCH, ...args], {
    cwd,
    env,
  })
  expect(status).toBe(0)
  const urls = readFileSync(LOADED, 'utf8').trim().split('\n')
  return urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
}

/** The source files that a run of the program has loaded. */
async function sourcesOf(args: readonly string[]): Promise<string[]> {
  const files = await loadedBy([PROGRAM, ...args])
  return files.flatMap((file) => (file.includes('/server/dist/') ? sourcesIn(file) : [file]))
}

/** The source map of a bundled file says what is in it. Code of the bundler has none, nor have entries. */
function sourcesIn(file: string): string[] {
  if (!existsSync(`${file}.map`)) return []
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  return sources
}

const SERVICE =
  /compose-service|src\/(server|mount|features|http|core|storage|crypto|mailer|outbound)\/|src\/settings\/settings\.ts/

test.each([[['version']], [['--version']], [['--help']], [['user', '--help']]])(
  '%j loads nothing of the service, and no package',
  async (args) => {
    const sources = await sourcesOf(args)
    expect(sources).toContainEqual(expect.stringMatching(/src\/cli\/run\.ts$/))
    expect(sources.filter((source) => source.includes('node_modules'))).toEqual([])
    expect(sources.filter((source) => SERVICE.test(source))).toEqual([])
  },
)

test('a command loads what it needs: no database for settings, no server to migrate', async () => {
  const settings = await sourcesOf(['settings'])
  expect(settings).toContainEqual(expect.stringMatching(/src\/settings\/settings\.ts$/))
  expect(settings.filter((source) => /compose-service|fastify|kysely/.test(source))).toEqual([])

  const migrate = await sourcesOf(['migrate'])
  expect(migrate).toContainEqual(expect.stringMatching(/kysely/))
  expect(migrate.filter((source) => /\/(@simplewebauthn|fastify)\//.test(source))).toEqual([])
  // `Type` as the package exports it, rather than `* as Type`, would bring along four times as much.
  const ofSchemas = migrate.filter((source) => source.includes('/@sinclair/typebox/'))
  expect(ofSchemas.length).toBeGreaterThan(10)
  expect(ofSchemas.filter((source) => /extends|guard\/type/.test(source))).toEqual([])
})

test('the check of tokens is one small file, without a package and without the service', async () => {
  const [file = '', ...more] = await loadedBy(['--input-type=module', '-e', `import '${VERIFY}'`])
  expect(more).toEqual([])
  expect(statSync(file).size).toBeLessThan(32 * 1024)
  const sources = sourcesIn(file)
  expect(sources).toContainEqual(expect.stringMatching(/src\/crypto\/jwt\/compact\.ts$/))
  const rest = sources.filter((source) => !/src\/(verify|crypto|kernel|outbound)\b/.test(source))
  expect(rest).toEqual([])
})
