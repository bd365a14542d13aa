import type { PageKey } from '../../server/src/kernel/words/english.ts'
import { createSay, type Say } from '../../server/src/kernel/words/text.ts'
import { facts, factsIn } from './facts.ts'
import { reload } from './router.tsx'

/** Every text of the pages has a key. The service sends them in the language of the page. */
export type Key = PageKey

export const language = document.documentElement.lang

/** The pages group the digits of English numbers, which the API does not do. */
const spoken = language === 'en' ? 'en-US' : language

export const say: Say<Key> = createSay(facts.words, spoken)

/** Whether the account page was asked for before. Somebody may have signed in since. */
let wasAsked = false

/**
 * The account page brings its own words. Somebody who has just signed in may have chosen another
 * language than their browser asks for.
 */
export async function loadWords(): Promise<void> {
  const isFirst = !wasAsked
  wasAsked = true
  if (isFirst && 'account.title' in facts.words) return
  const html = await fetch(facts.pages).then((answer) => answer.text())
  const page = new DOMParser().parseFromString(html, 'text/html')
  if (page.documentElement.lang !== language) return new Promise(reload)
  Object.assign(facts.words, factsIn(page).words)
}

const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

export const sayDate = (date: string | null): string =>
  date === null ? '–' : times.format(new Date(date))

/** "12 seconds", "3 minutes" */
export const sayWait = (seconds: number): string =>
  seconds < 90 ? sayUnits(seconds, 'second') : sayUnits(Math.ceil(seconds / 60), 'minute')

/** "30 days" */
export const sayUnits = (count: number, unit: 'second' | 'minute' | 'day' | 'year'): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
