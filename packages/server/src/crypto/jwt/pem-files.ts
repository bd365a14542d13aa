import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g

/**
 * Reads the keys of a setting: PEM text, the path of a file, or the path of a folder with `.pem`
 * files. Each may hold several keys. Environment variables often contain line breaks as `\n`.
 */
export function readPems(textOrPath: string): string[] {
  const text = textOrPath.includes('-----BEGIN')
    ? textOrPath.replaceAll('\\n', '\n')
    : readPath(textOrPath)
  return [...text.matchAll(BLOCK)].map(([block]) => block)
}

function readPath(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
    const names = readdirSync(path).filter((name) => name.endsWith('.pem'))
    return names
      .toSorted()
      .map((name) => readFileSync(join(path, name), 'utf8'))
      .join('\n')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`is neither PEM text nor a path that can be read (${code})`)
  }
}
