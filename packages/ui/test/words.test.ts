import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { english } from '../../server/src/kernel/words/english.ts'

const SOURCES = ['../src', '../../server/src/features', '../../server/src/http/pages'].map((path) =>
  join(import.meta.dirname, path),
)

test('every key is used somewhere, and has one meaning', () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  const source = files.join('\n')
  // Some are put together, by their beginning or their end: `field.${name}`, `${words}.done.title`.
  const isUsed = (key: string) =>
    source.includes(`'${key}'`) ||
    source.includes(`\`${key.slice(0, key.lastIndexOf('.'))}.\${`) ||
    source.includes(`\`\${words}${key.slice(key.indexOf('.'))}\``)
  // The pages for operators use both.
  const keys = [english.pages, english.admin].flatMap((texts) => Object.keys(texts))
  expect(keys.filter((key) => !isUsed(key))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})

test('what the pages say of a code is about a code of the service', () => {
  const codes = Object.keys(english.pages).flatMap((key) => key.match(/^error\.(.+)$/)?.[1] ?? [])
  expect(codes.filter((code) => !Object.hasOwn(english.answers, code))).toEqual([])
  expect(codes).toContain('required')
})
