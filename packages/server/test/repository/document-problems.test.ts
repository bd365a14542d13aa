import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Described, documentProblems } from '../../../../scripts/docs/document-problems.ts'
import { advice } from '../../../../scripts/docs/problem-advice.ts'
import { problems } from '../../src/kernel/problem-table.ts'

const read = (file: string): string =>
  readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

const committed = read('docs/errors.md')
const rows = committed.split('\n').filter((line) => /^\| `\w+` \|/.test(line))

test('docs/errors.md is what the table says (npm run docs)', () => {
  expect(committed).toBe(documentProblems(JSON.parse(read('openapi.json')) as Described))
})

test('every problem that a client gets has one row of six cells', () => {
  expect(rows).toHaveLength(Object.keys(problems).length - 1)
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(8)
})

test('advice is written for people: one sentence when, one what to do', () => {
  for (const [code, text] of Object.entries(advice)) {
    expect(text, code).toMatch(/^[A-Z][^→]*\. → [A-Z][^→]*\.$/)
  }
})

test('a body has the keys that stand beside its text', () => {
  const bodyOf = (code: string) => rows.find((row) => row.startsWith(`| \`${code}\``))
  expect(bodyOf('user_inactive')).toContain(
    '{"detail": "User is inactive", "code": "user_inactive"}',
  )
  expect(bodyOf('access_token_not_valid')).toContain(
    '"code": "token_not_valid", "messages": [{"token_class": ',
  )
  expect(bodyOf('too_long')).toContain('{"<field>": ["Ensure this field has no more than <max> ')
})
