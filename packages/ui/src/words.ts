import { createWords } from '../../server/src/kernel/words.ts'
import type english from '../public/words/en.json'
import { facts } from './facts.ts'

/** Every text of the pages has a key; `public/words` has them in all languages. */
export type Key = keyof typeof english

const words = createWords(facts.words)

export const say: (key: Key, values?: Parameters<typeof words.say>[1]) => string = words.say

export const { translate } = words

const language = document.documentElement.lang

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
