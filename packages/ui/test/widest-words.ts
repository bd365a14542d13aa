import type { Page } from 'playwright-core'
import { english, type Words } from '../../server/src/kernel/words/english.ts'
import { formsOf, placeholdersIn, type Texts } from '../../server/src/kernel/words/text.ts'
import { readLanguage } from '../../server/src/settings/words-files.ts'

/** The sections that pages show. */
const SECTIONS = ['answers', 'pages', 'admin'] as const

/** Two languages that nobody speaks, and which of all translations of a text is theirs. */
const MADE_UP = {
  /** The widest one. */
  qaa: 'max-content',
  /** The one with the widest word. */
  qab: 'min-content',
} as const

/** Runs in a page. A box of that width is as wide as a text that does not wrap, or as its widest word. */
const MEASURE = `(width, texts) => {
  document.body.style.fontFamily = 'sans-serif'
  document.body.replaceChildren(...texts.map((text) => {
    const box = document.createElement('div')
    box.style.width = width
    box.append(text)
    return box
  }))
  return Array.from(document.body.children, (box) => box.offsetWidth)
}`

/** The words of two made-up languages. What fits in them fits in all of these languages. */
export async function widestWords(page: Page, languages: readonly string[]) {
  const all = languages.map((code) => readLanguage(code, { WORDS_DIR: null }).words)
  const made: Record<string, Record<string, Record<string, string>>> = {}
  for (const [code, width] of Object.entries(MADE_UP)) {
    const words: Record<string, Record<string, string>> = {}
    for (const section of SECTIONS) words[section] = await widest(page, width, section, all)
    made[code] = words
  }
  return made
}

async function widest(
  page: Page,
  width: string,
  section: (typeof SECTIONS)[number],
  all: readonly Words[],
): Promise<Record<string, string>> {
  const texts = Object.entries<Texts[string]>(english[section]).flatMap(([key, source]) => {
    const values = formsOf(source).flatMap(placeholdersIn)
    return all
      .flatMap((words) => formsOf((words[section] as Texts)[key] ?? ''))
      .filter((text) => values.every((value) => text.includes(`{${value}}`)))
      .map((text) => ({ key, text }))
  })
  const list = JSON.stringify(texts.map(({ text }) => text))
  const widths = await page.evaluate<number[]>(`(${MEASURE})('${width}', ${list})`)
  const byWidth = texts
    .map((text, index) => ({ ...text, width: widths[index] ?? 0 }))
    .toSorted((a, b) => a.width - b.width)
  // The last one of each key wins.
  return Object.fromEntries(byWidth.map(({ key, text }) => [key, text]))
}
