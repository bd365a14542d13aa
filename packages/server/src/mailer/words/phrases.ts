import type { Language } from '../../kernel/words/english.ts'
import { fill } from '../../kernel/words/text.ts'

type Values = Readonly<Record<string, string>>

/** What a letter stores as facts, such as times and devices, as the language says it. */
export function phrasesFor({ time, date, browser, system = '' }: Values, language: Language) {
  return {
    ...(time !== undefined && { time: timeIn(time, language) }),
    ...(date !== undefined && { date: dateIn(date, language) }),
    ...(browser !== undefined && { browser: deviceIn(browser, system, language) }),
  }
}

function timeIn(time: string, { code }: Language): string {
  if (code === 'en') return `${time.slice(0, 16).replace('T', ' ')} UTC`
  const styles = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' } as const
  return `${formatted(time, code, styles)} UTC`
}

const dateIn = (date: string, { code }: Language): string =>
  code === 'en' ? date : formatted(date, code, { dateStyle: 'long' })

const formatted = (iso: string, code: string, styles: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(code, { ...styles, timeZone: 'UTC' }).format(new Date(iso))

/** `Firefox on Windows` */
function deviceIn(browser: string, system: string, { code, words }: Language): string {
  if (browser === '')
    return code === 'en' ? 'an unknown program' : String(words.pages['devices.unknown'])
  return system === '' ? browser : fill(words.pages['devices.on'], { browser, system }, code)
}
