import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { entries, groupNames } from '../../src/settings/names.ts'
import { hostWith } from './host.ts'
import { startLanguageServer } from './language-server.ts'

// In each program, the lines that must not compile are marked, and a mark that is not needed is an
// error.
const PROGRAMS = ['settings.ts']

let host: Awaited<ReturnType<typeof hostWith>>

beforeAll(async () => {
  host = await hostWith('fastify')
})
afterAll(() => host.remove())

test.each([
  [{}],
  [{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
  [{ module: 'preserve', moduleResolution: 'bundler' }],
])('right programs compile, and wrong ones do not, with %j', (options) => {
  expect(host.compile(PROGRAMS, options)).toBe('')
})

test('an editor shows what a setting does, its type and its default', async () => {
  const server = await startLanguageServer(host.folder)
  onTestFinished(() => void server.stop())
  const hover = server.open('hover.ts', everySetting())

  expect(await hover('USE_JWT')).toContain('RestAuthInput.USE_JWT?: boolean')
  expect(await hover('EMAIL_VERIFICATION')).toContain('"mandatory" | "none" | "optional"')
  for (const { key, setting } of entries) {
    const shown = await hover(key)
    expect(shown).toContain(setting.doc)
    expect(shown).toContain(`@default* — ${setting.defaultText}`)
  }
})

function everySetting(): string {
  const groupsAndKeys = [null, ...groupNames].map((group) => {
    const keys = entries.filter((entry) => entry.group === group).map(({ key }) => key)
    const members = keys.map((key) => `${key}: undefined,`).join('\n')
    return group ? `${group}: {\n${members}\n},` : members
  })
  return `import type { SettingsInput } from 'latchkey'
export const settings: SettingsInput = {\n${groupsAndKeys.join('\n')}\n}`
}
