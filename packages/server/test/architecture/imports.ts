import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dirname, '../../src')

export type Import = { from: string; to: string }

/** Paths below `src`, with slashes. */
export const sourceFiles = (): string[] => filesBelow(SRC)

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

export const textOf = (file: string): string => readFileSync(join(SRC, file), 'utf8')

/** Everything that a file imports or exports again, including types. Our files are paths below `src`. */
export function importsOf(file: string): Import[] {
  const named = [
    ...textOf(file).matchAll(/\bfrom '([^']+)'|\bimport\(\s*'([^']+)'|^import '([^']+)'/gm),
  ]
  return named.map(([, one, two, three]) => {
    const name = one ?? two ?? three ?? ''
    const path = relative(SRC, join(SRC, dirname(file), name)).replaceAll('\\', '/')
    return { from: file, to: name.startsWith('.') ? path : name }
  })
}
