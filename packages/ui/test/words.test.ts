import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { accountPages } from '../../server/src/kernel/words/account-pages.ts'
import { english } from '../../server/src/kernel/words/english.ts'
import { plainPages } from '../../server/src/kernel/words/plain-pages.ts'

const SRC = join(import.meta.dirname, '../src')

/** The text of all sources in these folders. */
const textIn = (folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    )
    .join('\n')

/** The text of a file, and of all files here that come with it. */
function textFrom(path: string, seen = new Set<string>()): string {
  if (seen.has(path) || !path.startsWith(SRC)) return ''
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, file = '']) =>
    join(dirname(path), file),
  )
  return [text, ...imported.map((file) => textFrom(file, seen))].join('\n')
}

test('every key is used somewhere, and has one meaning', () => {
  const server = join(SRC, '../../server/src')
  const source = textIn([SRC, join(server, 'features'), join(server, 'http/pages')])
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

test('a page has the words that its script says', () => {
  const usedIn = (texts: object, source: string) =>
    Object.keys(texts).filter((key) => source.includes(`'${key}'`))
  expect(usedIn(plainPages, textIn([SRC]))).toEqual([])
  // The name of the page also tells whether its words have come.
  const entry = textFrom(join(SRC, 'main.tsx'))
  expect(usedIn(accountPages, entry)).toEqual(['account.title'])
})

test('what the pages say of a code is about a code of the service', () => {
  const codes = Object.keys(english.pages).flatMap((key) => key.match(/^error\.(.+)$/)?.[1] ?? [])
  expect(codes.filter((code) => !Object.hasOwn(english.answers, code))).toEqual([])
  expect(codes).toContain('required')
})
