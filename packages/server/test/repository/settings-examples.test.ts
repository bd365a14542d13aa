import { expect, test } from 'vitest'
import { resolveSource } from '../../src/settings/resolve.ts'
import { fromObject } from '../../src/settings/sources.ts'
import { DOCUMENTS, settingsIn } from './support/documents.ts'

const shown = DOCUMENTS.flatMap((file) =>
  settingsIn(file).map((settings, index) => [file, index + 1, settings] as const),
)

test.each(shown)('the settings that %s shows are right (%i)', (_file, _number, settings) => {
  expect(() => resolveSource(fromObject(settings, 'the document'))).not.toThrow()
})

test('there are such examples, and a wrong one is noticed', () => {
  expect(shown.length).toBeGreaterThan(8)
  const wrong = { REST_AUTH: { USE_JTW: true } }
  expect(() => resolveSource(fromObject(wrong, 'the document'))).toThrow('USE_JTW')
})
