import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { DOCUMENTS, ROOT, read } from './support/documents.ts'

const SOURCES = join(ROOT, 'packages/server/src')

/** These name folders of the sources, too. In the others `login/` is an endpoint. */
const ABOUT_THE_SOURCES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions.md']

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

/** The anchors that code hosts make of headings. */
const anchorsOf = (text: string): string[] =>
  matches(text, /^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(DOCUMENTS)('every link of %s into a document leads to a heading', (file) => {
  const links = [...read(file).matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)]
  const lost = links.filter(([, path = '', anchor = '']) => {
    const target = path === '' ? file : join(dirname(file), path)
    return target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)
  })
  expect(lost.map(([link]) => link)).toEqual([])
})

test('the index of the documents names every page', () => {
  const index = linksIn(read('docs/README.md')).map((link) => join('docs', link))
  const pages = DOCUMENTS.filter((file) => /^docs\//.test(file) && file !== 'docs/README.md')
  expect(pages.filter((page) => !index.includes(page))).toEqual([])
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
  const drawings = matches(read('ARCHITECTURE.md'), /```\n(packages\/[\s\S]*?)```/g)
  expect(drawings).toHaveLength(2)
  for (const drawing of drawings) {
    const [folder = ''] = drawing.split('\n')
    const drawn = matches(drawing, /^ {2}([\w.-]+?)\/? /gm)
    const rooms = readdirSync(join(ROOT, folder)).filter((name) => name !== 'version.ts')
    expect(drawn.toSorted()).toEqual(rooms.toSorted())
  }
})

test('what does not exist is noticed', () => {
  const text = 'See [this](docs/lost.md#part), `http/lost.ts` and `lost/`.'
  expect(linksIn(text)).toEqual(['docs/lost.md'])
  expect(filesIn(text)).toEqual(['http/lost.ts'])
  expect(foldersIn(text)).toEqual(['lost/'])
  expect(exists('http/lost.ts')).toBe(false)
})

test('the README names every command', () => {
  const [, table = ''] = read('README.md').split('## The command line')
  const isNamed = (name: string) => {
    const [first, second] = name.split(' ')
    const row = table
      .split('\n')
      .find((line) => line.startsWith(`| \`${first}`) && line.includes(second ?? ''))
    return row !== undefined || table.includes(`\`${name}\``)
  }
  expect(commands.map(({ name }) => name).filter((name) => !isNamed(name))).toEqual([])
})
