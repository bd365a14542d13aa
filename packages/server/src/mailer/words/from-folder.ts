import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LETTER_NAMES, type LetterName } from '../../kernel/letter-names.ts'
import { SettingsError } from '../../kernel/settings-error.ts'
import { withoutMark } from '../../kernel/texts.ts'
import type { Language } from '../../kernel/words/english.ts'
import { isLink } from '../../kernel/words/text.ts'

const files = new Set(LETTER_NAMES.flatMap((name) => [`${name}.txt`, `${name}.html`]))

/**
 * The words of a letter. `{name}` is replaced by a value. A paragraph with a missing value is left
 * out. A paragraph that is only `{link}` becomes a link in the HTML part and a separate line in the
 * text part.
 */
type LetterWords = {
  /** A language tag, `de` or `pt-BR`. Null if unknown. */
  language: string | null
  subject: string
  /** The paragraphs. */
  body: readonly string[]
  /** Replaces the HTML that is otherwise made from the body. */
  html?: string
}

type Letters = Readonly<Record<LetterName, LetterWords>>
/** The parts of letters that files replace. */
type Templates = { readonly [Name in LetterName]?: Partial<LetterWords> }

/** All letters in a language. */
export type LettersIn = (language: Language) => Letters

/**
 * The words of the service. Files of the operator replace some of them. `<letter>.txt` begins with
 * a line `Subject: …`, and perhaps `Language: de`. `<letter>.html` beside it is optional and replaces
 * the HTML part. They are for the usual language; those in a folder `de` are for German.
 */
export function lettersFrom(
  folder: string | null,
  usual: string,
  known: readonly string[] = [usual],
): LettersIn {
  const own = folder === null ? new Map<string, Templates>() : readFolder(folder, usual, known)
  const made = new Map<Language, Letters>()
  return (language) => {
    const letters = made.get(language) ?? lettersOf(language, own.get(language.code))
    made.set(language, letters)
    return letters
  }
}

/** The link of a letter, or one that its words build from the parts. */
const LINK = /\{link\}|[a-z][a-z\d+.-]*:\/\/\S*\{(?:uid|token|key)\}/i

/** The files whose link stands among other words, so that it has no line of its own. */
export const filesWithBuriedLinks = (
  folder: string,
  usual: string,
  known: readonly string[],
): string[] =>
  [...readFolder(folder, usual, known)].flatMap(([code, templates]) =>
    LETTER_NAMES.filter((name) =>
      templates[name]?.body?.some((paragraph) => LINK.test(paragraph) && !isLink(paragraph)),
    ).map((name) => `${code === usual ? '' : `${code}/`}${name}.txt`),
  )

/** The files of the folder, and of the folders of languages in it. */
function readFolder(
  folder: string,
  usual: string,
  known: readonly string[],
): ReadonlyMap<string, Templates> {
  try {
    const own = new Map([[usual, readTemplates(folder, null)]])
    for (const name of readdirSync(folder)) {
      // Not an operator's: Kubernetes keeps the files of a ConfigMap in such folders.
      if (name.startsWith('.')) continue
      const inside = join(folder, name)
      // Follows links, as reading the files does.
      if (!existsSync(inside) || !statSync(inside).isDirectory()) continue
      if (!readdirSync(inside).some(isTemplate)) continue
      const code = languageOf(name, known)
      own.set(code, readTemplates(inside, code, own.get(code)))
    }
    return own
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const { path = folder } = error as NodeJS.ErrnoException
    throw unreadable(`the folder ${path}`, error)
  }
}

/** Some programs write `pt-br`, which is `pt-BR`. Anything else is probably a typo. */
function languageOf(folder: string, known: readonly string[]): string {
  const code = known.find((one) => one.toLowerCase() === folder.toLowerCase())
  if (code) return code
  throw new SettingsError([
    `EMAIL_TEMPLATES_DIR: the folder ${folder} is named after no language that the service knows: ${known.join(', ')}.`,
  ])
}

const lettersOf = ({ code, words }: Language, own: Templates = {}): Letters =>
  Object.fromEntries(
    LETTER_NAMES.map((name) => [name, { language: code, ...words.letters[name], ...own[name] }]),
  ) as Letters

/** Files replace what `former` has. `language` is that of letters that name none. */
function readTemplates(folder: string, language: string | null, former: Templates = {}): Templates {
  const unknown = readdirSync(folder).filter((file) => isTemplate(file) && !files.has(file))
  if (unknown.length > 0) {
    throw new SettingsError([
      `EMAIL_TEMPLATES_DIR: there is no letter with the name of ${unknown.join(', ')}.`,
    ])
  }
  return Object.fromEntries(
    LETTER_NAMES.map((name) => [
      name,
      { ...former[name], ...readTemplate(folder, name, language) },
    ]),
  )
}

const isTemplate = (file: string): boolean => /\.(txt|html)$/.test(file)

function readTemplate(
  folder: string,
  name: LetterName,
  language: string | null,
): Partial<LetterWords> {
  const text = readIfThere(join(folder, `${name}.txt`))
  const html = readIfThere(join(folder, `${name}.html`))
  return { ...(text !== null && parse(text, name, language)), ...(html !== null && { html }) }
}

function readIfThere(file: string): string | null {
  if (!existsSync(file)) return null
  try {
    return withoutMark(readFileSync(file, 'utf8'))
  } catch (error) {
    throw unreadable(`the file ${file}`, error)
  }
}

const unreadable = (what: string, error: unknown): SettingsError =>
  new SettingsError([
    `EMAIL_TEMPLATES_DIR: ${what} cannot be read (${(error as NodeJS.ErrnoException).code})`,
  ])

const FORM =
  /^Subject:[ \t]*(\S.*?)[ \t]*\n(?:Language:[ \t]*([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*\n)?[ \t]*\n([\s\S]*)$/

/** Blank lines separate the paragraphs. */
function parse(text: string, name: LetterName, usual: string | null): LetterWords {
  const [, subject, language = usual, body] = FORM.exec(text.replaceAll('\r\n', '\n')) ?? []
  if (subject && body) {
    return {
      language,
      subject,
      body: body
        .trim()
        .split(/\n\s*\n/)
        .map((one) => one.trim()),
    }
  }
  throw new SettingsError([
    `EMAIL_TEMPLATES_DIR: ${name}.txt must begin with a line "Subject: …", perhaps a line "Language: de", and a blank line.`,
  ])
}
