import { escapeHtml } from '../kernel/html.ts'
import type { LetterName } from './words/english.ts'
import type { LetterWords } from './words/letter-words.ts'

type Rendered = { subject: string; text: string; html: string }
type Values = Readonly<Record<string, string>>
export type Render = (letter: LetterName, values: Values) => Rendered

const LINK = '{link}'
const LINE_LENGTH = 72

/** Makes a mail from words and values. Each value is escaped for its context. */
export const createRender =
  (words: Record<LetterName, LetterWords>): Render =>
  (letter, given) => {
    const { language, subject, body, html } = words[letter]
    const values = withoutControls(given)
    const paragraphs = body
      .trim()
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => isComplete(paragraph, values))
    const title = fill(subject, values)
    return {
      subject: title,
      text: `${paragraphs.map((paragraph) => asText(paragraph, values)).join('\n\n')}\n`,
      html:
        html === undefined
          ? documentOf({
              language,
              title,
              paragraphs: paragraphs.map((one) => asHtml(one, values)),
            })
          : fill(html, values, escapeHtml),
    }
  }

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

const PLACEHOLDER = /\{(\w+)\}/g

const valueNamed = (values: Values, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : ''

const isComplete = (paragraph: string, values: Values): boolean =>
  [...paragraph.matchAll(PLACEHOLDER)].every(([, name = '']) => valueNamed(values, name) !== '')

const fill = (text: string, values: Values, harmless = (value: string) => value): string =>
  text.replace(PLACEHOLDER, (_, name: string) => harmless(valueNamed(values, name)))

function asText(paragraph: string, values: Values): string {
  const filled = fill(paragraph, values)
  return paragraph === LINK ? filled : wrap(filled)
}

function wrap(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= LINE_LENGTH) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}

function asHtml(paragraph: string, values: Values): string {
  if (paragraph !== LINK) return `<p>${fill(escapeHtml(paragraph), values, escapeHtml)}</p>`
  const link = escapeHtml(valueNamed(values, 'link'))
  return `<p><a href="${link}">${link}</a></p>`
}

type Page = { language: string | null; title: string; paragraphs: readonly string[] }

/** No pictures and no external styles, so a mail program has nothing to fetch. */
const documentOf = ({ language, title, paragraphs }: Page): string =>
  `<!doctype html>
<html${language === null ? '' : ` lang="${escapeHtml(language)}"`}>
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto; padding: 0 1em; overflow-wrap: break-word">
${paragraphs.join('\n')}
</body>
</html>
`
