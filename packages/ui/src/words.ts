import type { PageKey } from '../../server/src/kernel/words/english.ts'
import { createSay, type Say } from '../../server/src/kernel/words/say.ts'
import { facts } from './facts.ts'

const language = document.documentElement.lang

/** Every text of the pages has a key; the words are in `packages/server`. */
export type Key = PageKey

export const say: Say<Key> = createSay(facts.words, language)

/** What the API said, in the words of the pages where they have some for its code. */
export function sayCode(code: string | undefined, text: string): string {
  const known = facts.words[`error.${code}`] ?? facts.answers[code ?? '']
  return typeof known === 'string' && !known.includes('{') ? known : text
}

export const sayDate = (date: string | null): string =>
  date === null
    ? '–'
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(date),
      )

/** "12 seconds", "3 minutes" */
export const sayWait = (seconds: number): string =>
  seconds < 90 ? sayUnits(seconds, 'second') : sayUnits(Math.ceil(seconds / 60), 'minute')

const sayUnits = (count: number, unit: 'second' | 'minute'): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
