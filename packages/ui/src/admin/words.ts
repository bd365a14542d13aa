import type { AdminKey, PageKey } from '../../../server/src/kernel/words/english.ts'
import { createSay, type Say } from '../../../server/src/kernel/words/say.ts'
import { facts } from '../facts.ts'

/** These pages also use words of the hosted pages. */
export type Key = AdminKey | PageKey

const language = document.documentElement.lang

export const say: Say<Key> = createSay(facts.words, language)

const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat(language)

/** A day of the service, which counts in UTC. */
export const sayDay = (day: string): string => days.format(new Date(day))

export const sayNumber = (count: number): string => numbers.format(count)
