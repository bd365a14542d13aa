import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DOCUMENTS, examplesIn, ROOT } from './support/documents.ts'
import { CLIENT_OF_THE_APP, SURROUNDINGS } from './support/surroundings.ts'

const OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  jsx: 'react-jsx',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  typeRoots: [join(ROOT, 'node_modules/@types')],
  types: ['node', 'react'],
  paths: {
    latchkey: [join(ROOT, 'packages/server/dist/types/index.d.ts')],
    'latchkey/verify': [join(ROOT, 'packages/server/dist/types/verify.d.ts')],
    'latchkey/testing': [join(ROOT, 'packages/server/dist/types/testing.d.ts')],
    'latchkey/testing/vitest': [join(ROOT, 'packages/server/dist/types/testing-vitest.d.ts')],
    'latchkey/testing/playwright': [
      join(ROOT, 'packages/server/dist/types/testing-playwright.d.ts'),
    ],
    vitest: [join(ROOT, 'node_modules/vitest/dist/index.d.ts')],
    '@playwright/test': [join(ROOT, 'packages/server/src/testing/playwright-test.d.ts')],
    'latchkey-client': [join(ROOT, 'packages/client/src/index.ts')],
    'latchkey-client/react': [join(ROOT, 'packages/client/src/react.ts')],
    express: [join(ROOT, 'node_modules/@types/express/index.d.ts')],
    fastify: [join(ROOT, 'node_modules/fastify/fastify.d.ts')],
    react: [join(ROOT, 'node_modules/@types/react/index.d.ts')],
    'react/jsx-runtime': [join(ROOT, 'node_modules/@types/react/jsx-runtime.d.ts')],
  },
}

/** What the compiler says about these files. */
async function compile(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-examples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const project = JSON.stringify({ compilerOptions: OPTIONS, include: ['.'] })
  const all = { ...files, 'surroundings.d.ts': SURROUNDINGS, 'tsconfig.json': project }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  return stdout
}

/** Tests of the package compile these declarations. The page shows each of them only once. */
const DECLARATIONS = 'docs/exports.md'

/** Each page is a folder. Files have the names that the page gives them, others have a number. */
const shown = DOCUMENTS.filter((page) => page !== DECLARATIONS).flatMap((page) =>
  examplesIn(page).flatMap(({ language, text, name }, index) => {
    if (language !== 'ts' && language !== 'tsx') return []
    return [[`${page.replace('.md', '')}/${name ?? `${index + 1}.${language}`}`, text] as const]
  }),
)

test('every example in TypeScript compiles against the client and the library', async () => {
  expect(shown.length).toBeGreaterThan(15)
  const files = Object.fromEntries(shown)
  const auth = { 'packages/client/README/auth.ts': CLIENT_OF_THE_APP }
  expect(await compile({ ...files, ...auth })).toBe('')
})

test('a wrong example is noticed', async () => {
  const wrong = `import { createClient } from 'latchkey-client'\ncreateClient({ mode: 'cookies' })`
  expect(await compile({ 'wrong.ts': wrong })).toContain('"cookies"')
})
