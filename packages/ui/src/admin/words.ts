import { type Key as AccountKey, say as sayAny } from '../words.ts'
import type english from './public/words/en.json'

/** These pages also use words of the hosted pages. */
export type Key = keyof typeof english | AccountKey

type Values = Readonly<Record<string, string | number>>

export const say = sayAny as (key: Key, values?: Values) => string

const language = document.documentElement.lang

const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat(language)

/** A day of the service, which counts in UTC. */
export const sayDay = (day: string): string => days.format(new Date(day))

export const sayNumber = (count: number): string => numbers.format(count)
