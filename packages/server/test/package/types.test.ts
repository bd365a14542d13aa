import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { configText } from '../../src/cli/init/config-text.ts'
import { entries, groupNames } from '../../src/settings/names.ts'
import { hostWith } from './host.ts'
import { startLanguageServer } from './language-server.ts'

// In the programs, lines that must not compile are marked, and a mark that is not needed is an
// error.

let host: Awaited<ReturnType<typeof hostWith>>

/** The declarations themselves have been checked by then, which takes longer than everything else. */
const CHECKED = { skipLibCheck: true }

beforeAll(async () => {
  host = await hostWith()
})
afterAll(() => host.remove())

test.each([
  [{}],
  [
    {
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, lib: ['es2023'] },
      ...{ module: 'preserve', moduleResolution: 'bundler' },
    },
  ],
])('with no other package, right programs compile and wrong ones do not: %j', (options) => {
  expect(
    host.compile(['settings.ts', 'node.ts', 'hooks.ts', 'verify.ts', 'testing.ts'], options),
  ).toBe('')
})

test('every kind of import finds the types, and they say what the files are', () => {
  for (const [file, line] of [
    ['dynamic.cts', (name: string) => `void import('${name}').then(({ VALUE }) => VALUE)`],
    ['required.cts', (name: string) => `import all = require('${name}')\nexport const one = all`],
    ['default.ts', (name: string) => `import all from '${name}'\nexport const one = all`],
  ] as const) {
    host.write(`main-${file}`, line('latchkey').replaceAll('VALUE', 'createAuth'))
    host.write(`verify-${file}`, line('latchkey/verify').replaceAll('VALUE', 'createVerifier'))
  }
  const both = (file: string) => [`main-${file}`, `verify-${file}`]
  const said = host.compile(
    [...both('dynamic.cts'), ...both('required.cts'), ...both('default.ts')],
    { ...CHECKED, module: 'node16' },
  )
  expect(said).not.toContain('dynamic.cts')
  // An ES module, which `require` cannot load in every version of Node.
  expect(said.match(/required\.cts.*error TS1471/g)).toHaveLength(2)
  // It has no default export.
  expect(said.match(/default\.ts.*error TS1192/g)).toHaveLength(2)
  expect(said.match(/error/g)).toHaveLength(4)
})

test('so do those for Fastify, with its own types', async () => {
  const withFastify = await hostWith('fastify')
  onTestFinished(withFastify.remove)
  expect(withFastify.compile(['fastify.ts'])).toBe('')
})

test('the user of a request has a type where a host declares one', async () => {
  const withServers = await hostWith('fastify', 'express', '@types/express')
  onTestFinished(withServers.remove)
  expect(withServers.compile(['user-in-fastify.ts', 'user-in-express.ts'])).toBe('')
})

test('a config file that init writes is checked by the same type', () => {
  const providers = [{ id: 'google', clientId: 'id', secret: null }]
  const text = configText(
    { SITE_NAME: 'Harbour', PUBLIC_URL: 'https://harbour.example' },
    providers,
  )
  const files = {
    'right.config.js': text,
    'number.config.js': text.replace("'Harbour'", '5'),
    'goggle.config.js': text.replace('google:', 'goggle:'),
  }
  for (const [name, content] of Object.entries(files)) host.write(name, content)
  const lines = host
    .compile(Object.keys(files), { ...CHECKED, allowJs: true, checkJs: true })
    .split('\n')
  const about = (name: string) => lines.filter((line) => line.includes(name)).join()
  expect(about('right.config.js')).toBe('')
  expect(about('number.config.js')).toContain("Type 'number' is not assignable")
  expect(about('goggle.config.js')).toContain("'goggle' does not exist")
})

test('an editor shows what a setting does, its type and its default', async () => {
  const server = await startLanguageServer(host.folder)
  onTestFinished(() => void server.stop())
  const hover = server.open('hover.ts', everySetting())

  expect(await hover('USE_JWT')).toContain('RestAuthInput.USE_JWT?: boolean')
  expect(await hover('EMAIL_VERIFICATION')).toContain('"mandatory" | "none" | "optional"')
  for (const { group, key, setting } of entries) {
    const shown = await hover(key, group ? `\n${group}: {` : '')
    expect(shown).toContain(setting.doc)
    expect(shown).toContain(`@default* — ${setting.defaultText}`)
  }
})

function everySetting(): string {
  const members = [null, ...groupNames].map((group) => {
    const keys = entries.filter((entry) => entry.group === group).map(({ key }) => key)
    const lines = keys.map((key) => `${key}: undefined,`).join('\n')
    return group ? `${group}: {\n${lines}\n},` : lines
  })
  return `import type { SettingsInput } from 'latchkey'
export const settings: SettingsInput = {\n${members.join('\n')}\n}`
}
