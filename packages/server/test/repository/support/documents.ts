import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))

export const DOCUMENTS = [
  ...markdownIn('.'),
  ...markdownIn('docs'),
  ...markdownIn('docs/recipes'),
  'packages/client/README.md',
]

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** An example in a document: `name` is the file that its first line names, if it names one. */
export type Example = {
  readonly language: string
  readonly text: string
  readonly name: string | undefined
}

export const examplesIn = (file: string): readonly Example[] =>
  [...read(file).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
    name: /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(text)?.[1],
  }))

/** A file that a document shows, such as `signed-in.js`. */
export function fileIn(document: string, name: string): string {
  const found = examplesIn(document).find((example) => example.name === name)
  if (!found) throw new Error(`${document} shows no ${name}`)
  return found.text
}

/** Examples of a config file: objects whose first key is the name of a setting. Others are answers. */
export const settingsIn = (file: string): readonly object[] =>
  examplesIn(file).flatMap(({ language, text }) =>
    language === 'json' && /^\{\s*"[A-Z_]+":/.test(text) ? [JSON.parse(text) as object] : [],
  )
