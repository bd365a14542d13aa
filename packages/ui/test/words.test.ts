import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../public/words')
const SOURCES = ['../src', '../../server/src/features', '../../server/src/http/pages'].map((path) =>
  join(import.meta.dirname, path),
)

type Words = Record<string, string>
const read = (file: string): Words => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
const english = read('en.json')
const others = readdirSync(FOLDER).filter((file) => file !== 'en.json')

/** `login.title` is a key; a sentence is a text of the API, which is its own key. */
const isKey = (key: string) => /^[a-z][\w.]*$/i.test(key)
const placesIn = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted()

test.each(others)('%s says everything that is said in English', (file) => {
  const words = read(file)
  expect(Object.keys(words).filter(isKey).toSorted()).toEqual(
    Object.keys(english).filter(isKey).toSorted(),
  )
  for (const [key, text] of Object.entries(words)) {
    expect(placesIn(text), key).toEqual(placesIn(english[key] ?? key))
    expect(text.trim(), key).not.toBe('')
  }
})

test('every key is used somewhere', () => {
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
  expect(Object.keys(english).filter((key) => isKey(key) && !isUsed(key))).toEqual([])
})
