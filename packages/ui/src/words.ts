import type english from '../public/words/en.json'
import { facts } from './facts.ts'

/** Every text of the pages has a key; `public/words` has them in all languages. */
export type Key = keyof typeof english

type Values = Readonly<Record<string, string | number>>

export const say = (key: Key, values: Values = {}): string => fill(facts.words[key] ?? key, values)

/** A text of the API in the language of the page. The English text itself is the key. */
export function translate(text: string): string {
  const numbers = text.match(/\d+/g) ?? []
  const known = facts.words[text.replace(/\d+/g, '{n}')] ?? text
  return known.replaceAll('{n}', () => numbers.shift() ?? '')
}

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

const language = document.documentElement.lang

export const sayDate = (date: string | null): string =>
  date === null
    ? '–'
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(date),
      )

/** "12 seconds", "3 minutes" */
export const sayWait = (seconds: number): string =>
  seconds < 90
    ? say('wait.seconds', { count: seconds })
    : say('wait.minutes', { count: Math.ceil(seconds / 60) })
