import { isObject } from '../json-object.ts'
import type { LetterName } from '../letter-names.ts'
import { english, type Words } from './english.ts'
import {
  formsOf,
  isAlone,
  type LetterText,
  NUMBERS,
  PLACEHOLDER,
  placeholdersIn,
  type Text,
} from './text.ts'

/** A file of words. It may leave out words, which are then said in English. */
export type WordsFile = {
  readonly [Section in keyof Words]?: {
    readonly [Key in keyof Words[Section]]?: Words[Section][Key]
  }
}

type Found = {
  /** The words that are in English only, such as `answers.required`. */
  missing: string[]
  /** What is wrong with the others, as sentences. */
  wrong: string[]
}

const SECTIONS = Object.keys(english) as (keyof Words)[]

/** Compares a file with the English words. If nothing is wrong, it is a `WordsFile`. */
export function inspectWords(file: unknown, language: string): Found {
  if (!isObject(file)) return { missing: [], wrong: ['the file is not an object'] }
  const stray = Object.keys(file).filter((name) => !SECTIONS.some((section) => section === name))
  const parts = SECTIONS.map((section) => inspectSection(section, file[section] ?? {}, language))
  return {
    missing: parts.flatMap(({ missing }) => missing),
    wrong: [
      ...stray.map((name) => `there is no section ${name}`),
      ...parts.flatMap(({ wrong }) => wrong),
    ],
  }
}

function inspectSection(section: keyof Words, given: unknown, language: string): Found {
  if (!isObject(given)) return { missing: [], wrong: [`${section} is not an object`] }
  const source: Readonly<Record<string, unknown>> = english[section]
  const keys = Object.keys(source)
  const found = keys.filter((key) => Object.hasOwn(given, key))
  return {
    missing: keys.filter((key) => !found.includes(key)).map((key) => `${section}.${key}`),
    wrong: [
      ...Object.keys(given)
        .filter((key) => !Object.hasOwn(source, key))
        .map((key) => `${section}.${key} is not a word of the service`),
      ...found.flatMap((key) => {
        const faults =
          section === 'letters'
            ? faultsInLetter(key as LetterName, given[key])
            : faultsInText(source[key] as Text, given[key], language)
        return faults.map((fault) => `${section}.${key} ${fault}`)
      }),
    ],
  }
}

function faultsInText(source: Text, given: unknown, language: string): string[] {
  if (typeof given === 'string') return faultsInForm(namesIn(source), given)
  if (!isObject(given)) return ['is neither a text nor an object of plural forms']
  const names = namesIn(source)
  const number = names.find((name) => NUMBERS.some((one) => one === name))
  if (number === undefined) return ['has plural forms, but no number decides']
  const categories: readonly string[] = categoriesOf(language)
  const differing = [
    ...categories.filter((one) => !Object.hasOwn(given, one)).map((one) => `lacks ${one}`),
    ...Object.keys(given)
      .filter((one) => !categories.includes(one))
      .map((one) => `has ${one}, which the language does not use`),
  ]
  const faults = Object.entries(given).flatMap(([category, form]) => {
    const needed = standsForOne(category, language)
      ? names.filter((name) => name !== number)
      : names
    return typeof form === 'string'
      ? faultsInForm(names, form, needed).map((fault) => `(${category}) ${fault}`)
      : [`(${category}) is not a text`]
  })
  return [...differing, ...faults]
}

/** A form must have every value that it needs, and may have those that it knows. */
function faultsInForm(known: readonly string[], form: string, needed = known): string[] {
  if (form.trim() === '') return ['is empty']
  const found = placeholdersIn(form)
  const most = known.length === 0 ? 'no values' : `only ${listOf(known)}`
  return [
    ...needed.filter((name) => !found.includes(name)).map((name) => `lacks {${name}}`),
    ...found
      .filter((name) => !known.includes(name))
      .map((name) => `has {${name}}, but can contain ${most}`),
    ...(/[{}]/.test(form.replace(PLACEHOLDER, '')) ? ['has a brace that belongs to no value'] : []),
  ]
}

/** `{site}, {uid} and {token}` */
const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names.map((name) => `{${name}}`))

const namesIn = (text: Text): string[] => [...new Set(formsOf(text).flatMap(placeholdersIn))]

const categoriesOf = (language: string) =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories

/** In Arabic `two` is said of two alone, so its form need not have the number. Russian `one` is not. */
function standsForOne(category: string, language: string): boolean {
  const rules = new Intl.PluralRules(language)
  const numbers = Array.from({ length: 201 }, (_, number) => number)
  return numbers.filter((number) => rules.select(number) === category).length === 1
}

/** Values that a letter gets although our words do not use them, such as the parts of its link. */
const UNUSED: { readonly [Name in LetterName]?: readonly string[] } = {
  'verify-email': ['key'],
  'change-email': ['key'],
  'logins-ended': ['username'],
  'reset-password': ['uid', 'token'],
  invitation: ['key'],
}

function faultsInLetter(letter: LetterName, given: unknown): string[] {
  const source = english.letters[letter]
  const { subject, body } = Object(given) as Partial<Record<keyof LetterText, unknown>>
  const isList = Array.isArray(body) && body.every((one) => typeof one === 'string' && one !== '')
  if (typeof subject !== 'string' || !isList) return ['needs a subject and a list of paragraphs']
  const names = namesIn(source.body.join('\n'))
  const unused = UNUSED[letter] ?? []
  const found = placeholdersIn(body.join('\n'))
  const buildsLink = unused.length > 0 && unused.every((part) => found.includes(part))
  const needed = names.filter((name) => name !== 'link' || !buildsLink)
  return [
    ...faultsInForm(placeholdersIn(source.subject), subject).map((fault) => `(subject) ${fault}`),
    ...faultsInForm([...names, ...unused], body.join('\n'), needed),
    ...new Set(body.flatMap(faultsInParagraph)),
  ]
}

/** To be clicked or copied without anything around it. */
const ALONE = ['link', 'code']

/** The parts of a link. From right to left, marks around values would break a link inside a sentence. */
const PARTS = ['uid', 'token', 'key']

/** A paragraph is left out if a value is missing. It must not take a link along. */
function faultsInParagraph(paragraph: string): string[] {
  const names = placeholdersIn(paragraph)
  const parts = isAlone(paragraph) ? [] : names.filter((name) => PARTS.includes(name))
  const others = names.filter((name) => name !== 'username' && name !== 'site')
  return [
    ...ALONE.filter((name) => names.includes(name) && paragraph !== `{${name}}`).map(
      (name) => `must have {${name}} alone in its paragraph`,
    ),
    ...(parts.length > 0
      ? [`must have ${listOf(parts)} in a link, such as https://…, that is alone in its paragraph`]
      : []),
    ...(names.includes('username') && others.length > 0
      ? [
          `must have {username} in a paragraph without ${listOf(others)}, because it is left out if there is no {username}`,
        ]
      : []),
  ]
}
