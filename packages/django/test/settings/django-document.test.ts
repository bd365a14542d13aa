import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findEntry, groupNames } from '../../../server/src/settings/names.ts'
import { resolveSettings } from '../../../server/src/settings/resolve.ts'
import { mappings } from '../../src/settings/mappings.ts'
import { oldGroups, oldNames } from '../../src/settings/old-names.ts'

const PAGE = new URL('../../../../docs/coming-from-dj-rest-auth.md', import.meta.url)
const page = readFileSync(PAGE, 'utf8')

const known = mappings(() => []).flatMap(({ from }) => from)
const inDjango = [...known, ...groupNames, ...Object.keys(oldNames), ...Object.keys(oldGroups)]

/** Names in code: `GROUP.NAME`, `SOME_NAME`. With a star at the end, all names that begin with it. */
const NAME = /`([A-Z][A-Z0-9]*(?:[._][A-Za-z0-9_]+)+\*?)`/g
const namesIn = (text: string): string[] => [...text.matchAll(NAME)].map(([, name = '']) => name)

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|there|where)/.test(line))
  .map((line) => line.split(' | '))

/** A setting, or a key inside one that is an object. */
const isOurs = (name: string): boolean =>
  findEntry(name) !== undefined || findEntry(name.replace(/\.[a-z_]+$/, '')) !== undefined

const covers = (written: string, name: string): boolean =>
  written.endsWith('*') ? name.startsWith(written.slice(0, -1)) : written === name

test('there are tables to hold', () => {
  expect(rows.length).toBeGreaterThan(70)
})

test('the right column names settings that exist', () => {
  const named = rows.flatMap(([, here = '']) => namesIn(here))
  expect(named.filter((name) => !isOurs(name))).toEqual([])
})

test('every other name is a setting here or there', () => {
  const strange = namesIn(page).filter(
    (name) => !isOurs(name) && !inDjango.some((one) => covers(name, one)),
  )
  expect(strange).toEqual([])
})

test('"the same name" is said of settings that exist', () => {
  const same = rows.filter(([, here = '']) => here.startsWith('the same name'))
  const missing = same.flatMap(([there = '']) => namesIn(there)).filter((name) => !isOurs(name))
  expect(missing).toEqual([])
})

test('"none" and "not needed" are said of names that are no setting here', () => {
  const without = rows.filter(([, here = '']) => /^(none|not needed)\b/.test(here))
  const wrong = without.flatMap(([there = '']) => namesIn(there)).filter(isOurs)
  expect(wrong).toEqual([])
})

test('the tables have every setting that the command knows', () => {
  const written = rows.flatMap(([there = '']) => namesIn(there))
  const forgotten = known.filter((name) => !written.some((one) => covers(one, name)))
  // These names have no underscore, so the pattern does not find them.
  expect(forgotten.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json)

test.each(examples)('the service takes the example %s', (json) => {
  expect(() => resolveSettings(JSON.parse(json))).not.toThrow()
})

test('there is an example for each recipe that is configuration', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5)
})

test('links inside the page lead somewhere', () => {
  const anchors = page
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
  expect(links.filter((anchor) => !anchors.includes(anchor ?? ''))).toEqual([])
})
