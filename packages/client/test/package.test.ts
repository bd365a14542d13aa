import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tsc } from '../../server/test/package/support.ts'

const here = fileURLToPath(new URL('..', import.meta.url))
const BUDGET = 6 * 1024

let folder: string
let files: string[]
const installed = (...path: string[]) => join(folder, 'node_modules/latchkey-client', ...path)

// What is built is packed elsewhere, since a test writes nothing into the checkout.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-client-'))
  const copy = join(folder, 'package')
  for (const name of ['package.json', 'README.md', 'dist', 'src', 'test']) {
    cpSync(join(here, name), join(copy, name), { recursive: true })
  }
  const documents = join(here, '../../scripts/copy-documents.js')
  execFileSync(process.execPath, [documents, copy, 'LICENSE', 'CHANGELOG.md'])
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: copy, encoding: 'utf8' }))
  files = packed.files.map(({ path }: { path: string }) => path)
  const tarball = join(folder, packed.filename)
  mkdirSync(installed(), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed(), '--strip-components', '1'])
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const name of ['react', '@types/react', '@types/node', 'csstype', 'undici-types']) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(here, '../../node_modules', name), join(folder, 'node_modules', name))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('it holds what is built, and its documents', () => {
  const built = files.filter((file) => file.startsWith('dist/'))
  expect(built).toEqual(
    expect.arrayContaining(['dist/index.js', 'dist/react.js', 'dist/types/index.d.ts']),
  )
  expect(files.filter((file) => !file.startsWith('dist/')).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
  ])
})

test('it needs no other package, and React only where it is asked for', () => {
  const { dependencies } = JSON.parse(readFileSync(installed('package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  const core = readFileSync(installed('dist/index.js'), 'utf8')
  expect(core).not.toMatch(/^import /m)
})

/** As a page gets it: all that the module needs, in one minified file. */
async function sizeOf(entry: string): Promise<number> {
  const { output } = await build({
    input: installed('dist', entry),
    external: ['react'],
    platform: 'browser',
    output: { minify: true },
    write: false,
  })
  expect(output).toHaveLength(1)
  return gzipSync(output[0].code).length
}

test('it is small', async () => {
  expect(await sizeOf('index.js')).toBeLessThan(BUDGET)
  expect(await sizeOf('react.js')).toBeLessThan(512)
})

test('publint finds nothing', async () => {
  const { messages } = await publint({ pkgDir: installed(), strict: true, pack: false })
  expect(messages).toEqual([])
})

test('it runs in Node, and strict hosts compile against it, with and without a DOM', () => {
  const host = `import { AuthError, type AuthClient, createClient, type State } from 'latchkey-client'
    import { useAuth } from 'latchkey-client/react'
    export const auth: AuthClient = createClient({ mode: 'token', url: 'http://localhost/auth/' })
    export const Who = (): State<{ username?: string }> => useAuth(auth)
    export const isOurs = (error: unknown): boolean => error instanceof AuthError
    // @ts-expect-error There is no such call.
    auth.signIn()`
  writeFileSync(join(folder, 'host.ts'), host)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--noEmit']
  for (const lib of [
    ['--lib', 'es2022,dom', '--types', ''],
    ['--lib', 'es2022', '--types', 'node'],
  ]) {
    execFileSync(process.execPath, [tsc, ...strict, ...lib, 'host.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
  }
  const script = `import { createClient } from 'latchkey-client'
    const { status } = await createClient({ mode: 'jwt' }).restore()
    process.stdout.write(status)`
  const run = ['--input-type=module', '--eval', script]
  expect(execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' })).toBe('signed-out')
})
