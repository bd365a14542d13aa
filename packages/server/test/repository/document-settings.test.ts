import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentSettings } from '../../../../scripts/docs/document-settings.ts'
import { entries } from '../../src/settings/names.ts'

const committed = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')

test('docs/settings.md is what the table says (node scripts/write-docs.js after a build)', () => {
  expect(committed).toBe(documentSettings())
})

test('every setting has one row of four cells', () => {
  const rows = committed.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toHaveLength(entries.length)
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6)
})

test('every setting has one line of documentation, which is a sentence', () => {
  for (const { name, setting } of entries) expect(setting.doc, name).toMatch(/^[A-Z].*\.$/)
})
