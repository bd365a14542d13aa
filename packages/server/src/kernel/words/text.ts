import { directionOf } from './direction.ts'

/**
 * A text with `{name}` for each value. Where a number decides, there is one form for each of the
 * language's plural categories, as `Intl.PluralRules` names them.
 */
export type Text = string | Plural
type Plural = Readonly<{ other: string } & { [C in Intl.LDMLPluralRule]?: string }>
export type Texts<Key extends string = string> = Readonly<Record<Key, Text>>
export type Values = Readonly<Record<string, string | number>>

/** The names of values that are numbers. They choose the form of a plural. */
export const NUMBERS = ['count', 'max', 'min', 'most', 'seconds', 'sum'] as const
type NumberName = (typeof NUMBERS)[number]

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type FormsOf<T> = T extends string ? T : T[keyof T]

/** The values that an English text needs. */
export type ValuesOf<T extends Text> = {
  readonly [Name in NamesIn<FormsOf<T>>]: Name extends NumberName ? number : string
}

/** English texts, or refusals with their texts, and a note for translators that explains all of them. */
export const noted = <const T extends object>(_note: string, texts: T): T => texts

export type LetterText = { readonly subject: string; readonly body: readonly string[] }

export const PLACEHOLDER = /\{(\w+)\}/g

/** The link of a letter, or one that its words build from the parts. */
export const isLink = (paragraph: string): boolean =>
  /^(\{link\}|[a-z][a-z\d+.-]*:\/\/\S+)$/i.test(paragraph)

/** A link or a code, to be clicked or copied without anything around it. */
export const isAlone = (paragraph: string): boolean =>
  isLink(paragraph) || /^\{\w+\}$/.test(paragraph)

export const formsOf = (text: Text): string[] =>
  typeof text === 'string' ? [text] : Object.values(text)

export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)),
]

/** The text with its values, in the form and with the digits of the language. */
export function fill(text: Text, values: Values, language: string): string {
  return formFor(text, values, language).replace(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole
    if (typeof value === 'number') return numberIn(language, value)
    return directionOf(language) === 'rtl' ? isolated(String(value)) : String(value)
  })
}

/** In a text from right to left, a value from left to right would mix up the words around it. */
export const isolated = (value: string): string => `\u2068${value}\u2069`

function formFor(text: Text, values: Values, language: string): string {
  if (typeof text === 'string') return text
  const count = Object.values(values).find((value) => typeof value === 'number') ?? 0
  return text[new Intl.PluralRules(language).select(count)] ?? text.other
}

/** English numbers are as in Django REST framework, because clients compare the text. */
const numberIn = (language: string, value: number): string =>
  language === 'en' ? String(value) : new Intl.NumberFormat(language).format(value)

export type Say<Key extends string> = (key: Key, values?: Values) => string

/** Says texts by their key. The service uses it for the pages that it writes, and their script, too. */
export const createSay =
  <Key extends string>(texts: Texts<Key>, language: string): Say<Key> =>
  (key, values = {}) =>
    fill(texts[key] ?? key, values, language)
