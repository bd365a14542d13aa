import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '../kernel/json-object.ts'
import { withoutMark } from '../kernel/texts.ts'
import { ENGLISH, english, type Language, type Words } from '../kernel/words/english.ts'
import { inspectWords, type WordsFile } from '../kernel/words/inspect-words.ts'
import { languageTag } from '../kernel/words/language-tag.ts'
import { SHIPPED_WORDS } from '../shipped-words.ts'
import type { Settings } from './settings.ts'

const SHIPPED = fileURLToPath(SHIPPED_WORDS)
const SUFFIX = '.json'

/** The languages that have a file in the folder. */
const codesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))

type Folder = Pick<Settings, 'WORDS_DIR'>

/** All languages that the service can speak. */
export const knownLanguages = ({ WORDS_DIR }: Folder): readonly string[] => [
  ...new Set([ENGLISH.code, ...codesIn(SHIPPED), ...(WORDS_DIR ? codesIn(WORDS_DIR) : [])]),
]

/** Whether the package has words in this language. */
export const isShipped = (code: string): boolean =>
  code === ENGLISH.code || codesIn(SHIPPED).includes(code)

/** The words of a language: those of the deployment, else the shipped ones, else English. */
export function readLanguage(code: string, { WORDS_DIR }: Folder): Language {
  const folders = [SHIPPED, ...(WORDS_DIR ? [WORDS_DIR] : [])]
  return {
    code,
    words: folders.reduce<Words>((words, folder) => over(words, folder, code), english),
  }
}

const fileOf = (folder: string, code: string): string => join(folder, `${code}${SUFFIX}`)

const readJson = (path: string): unknown => parseJson(withoutMark(readFileSync(path, 'utf8')))

function over(words: Words, folder: string, code: string): Words {
  const path = fileOf(folder, code)
  if (!existsSync(path)) return words
  const file = readJson(path) as WordsFile
  const sections = Object.entries(words).map(([name, texts]) => [
    name,
    { ...texts, ...file[name as keyof Words] },
  ])
  return Object.fromEntries(sections) as Words
}

/** What is wrong with the files of a folder, by file, and which words they lack. */
export function inspectFolder(folder: string) {
  return codesIn(folder).map((code) => {
    if (languageTag(code) !== code) {
      const wrong = ['is not named after a language, such as de.json or pt-BR.json']
      return { code, missing: [], wrong }
    }
    const file = readJson(fileOf(folder, code))
    if (file === undefined) return { code, missing: [], wrong: ['is not JSON'] }
    return { code, ...inspectWords(file, code) }
  })
}
