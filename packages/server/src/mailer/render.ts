import { escapeHtml } from '../kernel/html.ts'
import type { LetterName } from '../kernel/letter-names.ts'
import { directionOf } from '../kernel/words/direction.ts'
import type { Language } from '../kernel/words/english.ts'
import { isAlone, isLink, isolated, PLACEHOLDER } from '../kernel/words/text.ts'
import type { LettersIn } from './words/from-folder.ts'
import { phrasesFor } from './words/phrases.ts'
import { wrap } from './wrap.ts'

type Rendered = { subject: string; text: string; html: string }
type Values = Readonly<Record<string, string>>
type Harmless = (value: string, name: string) => string
export type Render = (letter: LetterName, values: Values, language: Language) => Rendered

/** Makes a mail from words and values. Each value is escaped for its context. */
export const createRender =
  (lettersIn: LettersIn): Render =>
  (letter, given, spoken) => {
    const { language, subject, body, html } = lettersIn(spoken)[letter]
    const isRtl = directionOf(language ?? '') === 'rtl'
    const facts = withoutControls(given)
    const phrases = phrasesFor(facts, spoken)
    const values: Values = { ...facts, ...phrases }
    const paragraphs = body.filter((paragraph) => isComplete(paragraph, values))
    // Phrases run in the direction of the letter already.
    const isForeign = (name: string) => isRtl && !Object.hasOwn(phrases, name)
    const inText: Harmless = (value, name) => (isForeign(name) ? isolated(value) : value)
    const inHtml: Harmless = (value, name) =>
      isForeign(name) ? isolatedHtml(value) : escapeHtml(value)
    const title = fill(subject, values, inText)
    const lines = paragraphs.map((one) =>
      isAlone(one) ? fill(one, values) : wrap(fill(one, values, inText), language),
    )
    return {
      subject: title,
      text: `${lines.join('\n\n')}\n`,
      html:
        html === undefined
          ? documentOf({
              language,
              isRtl,
              title,
              paragraphs: paragraphs.map((one) => asHtml(one, values, inHtml)),
            })
          : fill(html, values, escapeHtml),
    }
  }

const asItIs = (value: string): string => value

/** The same as `isolated`, in HTML. */
const isolatedHtml = (value: string): string => `<bdi>${escapeHtml(value)}</bdi>`

/**
 * Removes control characters. Otherwise a line break in a value could end a header, or begin a
 * paragraph with a stranger's words.
 */
function withoutControls(values: Values): Values {
  const clean = Object.entries(values).map(([name, value]) => [
    name,
    value.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim(),
  ])
  return Object.fromEntries(clean)
}

const valueNamed = (values: Values, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : ''

const isComplete = (paragraph: string, values: Values): boolean =>
  [...paragraph.matchAll(PLACEHOLDER)].every(([, name = '']) => valueNamed(values, name) !== '')

const fill = (text: string, values: Values, harmless: Harmless = asItIs): string =>
  text.replace(PLACEHOLDER, (_, name: string) => harmless(valueNamed(values, name), name))

function asHtml(paragraph: string, values: Values, harmless: Harmless): string {
  if (!isLink(paragraph)) return `<p>${fill(escapeHtml(paragraph), values, harmless)}</p>`
  const link = fill(paragraph, values)
  return `<p><a href="${escapeHtml(link)}">${harmless(link, 'link')}</a></p>`
}

type Page = {
  language: string | null
  isRtl: boolean
  title: string
  paragraphs: readonly string[]
}

/** No pictures and no external styles, so a mail program has nothing to fetch. */
const documentOf = ({ language, isRtl, title, paragraphs }: Page): string =>
  `<!doctype html>
<html${language === null ? '' : ` lang="${escapeHtml(language)}"`}${isRtl ? ' dir="rtl"' : ''}>
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto; padding: 0 1em; overflow-wrap: break-word">
${paragraphs.join('\n')}
</body>
</html>
`
