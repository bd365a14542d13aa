import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english, type LetterName } from './english.ts'
import type { LetterWords } from './letter-words.ts'

const names = Object.keys(english) as LetterName[]
const files = new Set(names.flatMap((name) => [`${name}.txt`, `${name}.html`]))

/**
 * The words of the service. Files of the operator replace some of them. `<letter>.txt` begins with
 * a line `Subject: …`, and perhaps `Language: de`. `<letter>.html` beside it is optional and replaces
 * the HTML part.
 */
export function wordsFrom(folder: string | null): Record<LetterName, LetterWords> {
  if (folder === null) return english
  const unknown = readdirSync(folder).filter((file) => isTemplate(file) && !files.has(file))
  if (unknown.length > 0) {
    throw new Error(
      `EMAIL_TEMPLATES_DIR: there is no letter with the name of ${unknown.join(', ')}.`,
    )
  }
  const all = names.map((name) => [name, readWords(folder, name)] as const)
  return Object.fromEntries(all) as Record<LetterName, LetterWords>
}

const isTemplate = (file: string): boolean => /\.(txt|html)$/.test(file)

function readWords(folder: string, name: LetterName): LetterWords {
  const text = readIfThere(join(folder, `${name}.txt`))
  const html = readIfThere(join(folder, `${name}.html`))
  return {
    ...(text === null ? english[name] : parse(text, name)),
    ...(html !== null && { html }),
  }
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

const FORM =
  /^Subject:[ \t]*(\S.*?)[ \t]*\n(?:Language:[ \t]*([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*\n)?[ \t]*\n([\s\S]*)$/

function parse(text: string, name: LetterName): LetterWords {
  const [, subject, language = null, body] = FORM.exec(text.replaceAll('\r\n', '\n')) ?? []
  if (subject && body) return { language, subject, body }
  throw new Error(
    `EMAIL_TEMPLATES_DIR: ${name}.txt must begin with a line "Subject: …", perhaps a line "Language: de", and a blank line.`,
  )
}
