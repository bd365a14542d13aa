import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dirname, '../../src')

export type Import = { from: string; to: string }

/** Paths below `src`, with slashes. */
export function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
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
