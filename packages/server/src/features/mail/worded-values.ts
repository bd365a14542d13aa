import type { Language } from '../../kernel/words/english.ts'
import { fill } from '../../kernel/words/text.ts'

type Values = Readonly<Record<string, string>>

/** Times and devices, as the language writes them. A letter stores them as data. */
export function wordedValues(values: Values, language: Language): Values {
  const { time, browser, system, ...rest } = values
  return {
    ...rest,
    ...(time !== undefined && { time: timeIn(time, language) }),
    ...(browser !== undefined && { browser: deviceIn(browser, system ?? '', language) }),
  }
}

function timeIn(time: string, { code }: Language): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  if (code === 'en') return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const styles = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(code, styles).format(date)} UTC`
}

/** `Firefox on Windows` */
function deviceIn(browser: string, system: string, { code, words }: Language): string {
  if (browser === '')
    return code === 'en' ? 'an unknown program' : String(words.pages['devices.unknown'])
  return system === '' ? browser : fill(words.pages['devices.on'], { browser, system }, code)
}
