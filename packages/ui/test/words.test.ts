import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HOSTED = join(import.meta.dirname, '../public/words')
/** The pages for operators use both. */
const ADMIN = join(import.meta.dirname, '../src/admin/public/words')
const SOURCES = ['../src', '../../server/src/features', '../../server/src/http/pages'].map((path) =>
  join(import.meta.dirname, path),
)

type Words = Record<string, string>
const read = (folder: string, file: string): Words =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'))

/** `login.title` is a key; a sentence is a text of the API, which is its own key. */
const isKey = (key: string) => /^[a-z][\w.-]*$/i.test(key)
const keysIn = (words: Words) => Object.keys(words).filter(isKey)
const placesIn = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted()

const others = readdirSync(HOSTED)
  .filter((file) => file !== 'en.json')
  .flatMap((file) => [HOSTED, ADMIN].map((folder) => [file, folder] as const))

test.each(others)('%s says everything that is said in English', (file, folder) => {
  const [words, english] = [read(folder, file), read(folder, 'en.json')]
  expect(keysIn(words).toSorted()).toEqual(keysIn(english).toSorted())
  for (const [key, text] of Object.entries(words)) {
    // A name may be said twice in one language, and once in another.
    expect([...new Set(placesIn(text))], key).toEqual([...new Set(placesIn(english[key] ?? key))])
    expect(text.trim(), key).not.toBe('')
  }
})

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
  const keys = [HOSTED, ADMIN].flatMap((folder) => keysIn(read(folder, 'en.json')))
  expect(keys.filter((key) => !isUsed(key))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})
