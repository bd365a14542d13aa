import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SOURCES = join(ROOT, 'packages/server/src')

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const DOCUMENTS = [...markdownIn('.'), ...markdownIn('docs')]

/** These name folders of the sources, too. In the others `login/` is an endpoint. */
const ABOUT_THE_SOURCES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions.md']

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

const linksIn = (text: string): string[] => matches(text, /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)
const filesIn = (text: string): string[] => matches(text, /`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|js))`/g)
const foldersIn = (text: string): string[] => matches(text, /`([\w.-]+(?:\/[\w-]+)*\/)`/g)

/** A path from the root of the repository or from the sources of the server. */
const exists = (path: string): boolean =>
  existsSync(join(ROOT, path)) || existsSync(join(SOURCES, path))

test.each(DOCUMENTS)('every link of %s leads to a file', (file) => {
  const folder = join(ROOT, dirname(file))
  expect(linksIn(read(file)).filter((link) => !existsSync(join(folder, link)))).toEqual([])
})

test.each(DOCUMENTS)('every source file that %s names exists', (file) => {
  const named = filesIn(read(file)).filter((path) => path.includes('/'))
  expect(named.filter((path) => !exists(path))).toEqual([])
})

test.each(ABOUT_THE_SOURCES)('every file and folder that %s names exists', (file) => {
  const text = read(file)
  const named = [...filesIn(text), ...foldersIn(text)].filter((path) => path !== 'feature.ts')
  expect(named).not.toEqual([])
  expect(named.filter((path) => !exists(path))).toEqual([])
})

test('the rooms that ARCHITECTURE.md draws are those of the sources', () => {
  const drawing = /```\n([\s\S]*?)```/.exec(read('ARCHITECTURE.md'))?.[1] ?? ''
  const drawn = matches(drawing, /^ {2}([\w.-]+?)\/? /gm)
  const rooms = readdirSync(SOURCES).filter((name) => name !== 'version.ts')
  expect(drawn.toSorted()).toEqual(rooms.toSorted())
})

test('what does not exist is noticed', () => {
  const text = 'See [this](docs/lost.md#part), `http/lost.ts` and `lost/`.'
  expect(linksIn(text)).toEqual(['docs/lost.md'])
  expect(filesIn(text)).toEqual(['http/lost.ts'])
  expect(foldersIn(text)).toEqual(['lost/'])
  expect(exists('http/lost.ts')).toBe(false)
})
