import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dirname, '../../src')
const DJANGO = join(import.meta.dirname, '../../../django/src')

export type Import = {
  from: string
  to: string
  /** It is loaded when it is needed: `import('…')`. */
  isLazy: boolean
}

/** Paths below `src`, with slashes. Those of `packages/django` begin with `django/`. */
export const sourceFiles = (): string[] => [
  ...filesBelow(SRC),
  ...filesBelow(DJANGO).map((file) => `django/${file}`),
]

const pathOf = (file: string): string =>
  file.startsWith('django/') ? join(DJANGO, file.slice('django/'.length)) : join(SRC, file)

function nameOf(path: string): string {
  const inDjango = relative(DJANGO, path)
  const name = inDjango.startsWith('..') ? relative(SRC, path) : join('django', inDjango)
  return name.replaceAll('\\', '/')
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()

/** The files of the server that the hosted pages import. */
export function importedByPages(): string[] {
  const pages = join(SRC, '../../ui/src')
  const texts = filesBelow(pages).map((file) => readFileSync(join(pages, file), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/ from '[./]*\/server\/src\/([^']+)'/g)].map(([, file]) => file ?? ''),
  )
}

export const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8')

/** Everything that a file imports or exports again, including types. Our files are named as above. */
export function importsOf(file: string): Import[] {
  const named = [
    ...textOf(file).matchAll(/\bfrom '([^']+)'|\bimport\(\s*'([^']+)'|^import '([^']+)'/gm),
  ]
  return named.map(([, one, two, three]) => {
    const name = one ?? two ?? three ?? ''
    const to = name.startsWith('.') ? nameOf(join(dirname(pathOf(file)), name)) : name
    return { from: file, to, isLazy: two !== undefined }
  })
}
