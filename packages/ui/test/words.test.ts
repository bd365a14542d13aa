import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../public/words')

type Words = Record<string, string>
const read = (file: string): Words => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
const english = read('en.json')
const others = readdirSync(FOLDER).filter((file) => file !== 'en.json')

/** `login.title` is a key; a sentence is a text of the API, which is its own key. */
const isKey = (key: string) => /^[a-z][\w.]*$/i.test(key)
const placesIn = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted()

test.each(others)('%s says everything that is said in English', (file) => {
  const words = read(file)
  expect(Object.keys(words).filter(isKey).toSorted()).toEqual(Object.keys(english).toSorted())
  for (const [key, text] of Object.entries(words)) {
    expect(placesIn(text), key).toEqual(placesIn(english[key] ?? key))
    expect(text.trim(), key).not.toBe('')
  }
})
