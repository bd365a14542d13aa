import type { AdminKey } from '../../../server/src/kernel/words/english.ts'
import type { Say } from '../../../server/src/kernel/words/text.ts'
import { type Key as AccountKey, language, say as sayAny } from '../words.ts'

/** These pages also use words of the hosted pages. */
export type Key = AdminKey | AccountKey

export const say = sayAny as Say<Key>

const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat(language)

/** A day of the service, which counts in UTC. */
export const sayDay = (day: string): string => days.format(new Date(day))

export const sayNumber = (count: number): string => numbers.format(count)
