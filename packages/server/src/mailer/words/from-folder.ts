import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english, type LetterName } from './english.ts'
import type { Words } from './words.ts'

const names = Object.keys(english) as LetterName[]
const files = new Set(names.flatMap((name) => [`${name}.txt`, `${name}.html`]))

/**
 * The words of the service. Files of the operator replace some of them. `<letter>.txt` begins with
 * a line `Subject: …`. `<letter>.html` beside it is optional and replaces the HTML part.
 */
export function wordsFrom(folder: string | null): Record<LetterName, Words> {
  if (folder === null) return english
  const unknown = readdirSync(folder).filter((file) => isTemplate(file) && !files.has(file))
  if (unknown.length > 0) {
    throw new Error(
      `EMAIL_TEMPLATES_DIR: there is no letter with the name of ${unknown.join(', ')}.`,
    )
  }
  const all = names.map((name) => [name, readWords(folder, name)] as const)
  return Object.fromEntries(all) as Record<LetterName, Words>
}

const isTemplate = (file: string): boolean => /\.(txt|html)$/.test(file)

function readWords(folder: string, name: LetterName): Words {
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

function parse(text: string, name: LetterName): Words {
  const [, subject, body] = /^Subject:[ \t]*(\S.*?)\r?\n\s*\n([\s\S]*)$/.exec(text) ?? []
  if (subject && body) return { subject, body: body.replaceAll('\r\n', '\n') }
  throw new Error(
    `EMAIL_TEMPLATES_DIR: ${name}.txt must begin with a line "Subject: …" and a blank line.`,
  )
}
