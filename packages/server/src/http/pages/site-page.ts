import type { Languages } from '../../core/languages.ts'
import type { FindPlace } from '../../core/place.ts'
import { type Html, html } from '../../kernel/html.ts'
import type { PageFacts } from '../../kernel/page-facts.ts'
import { userProblems } from '../../kernel/problem-table.ts'
import type { Fault } from '../../kernel/problems.ts'
import { operatorProblems } from '../../kernel/program-problems.ts'
import { accountPages } from '../../kernel/words/account-pages.ts'
import type { AdminKey, Language, PageKey } from '../../kernel/words/english.ts'
import { plainPages } from '../../kernel/words/plain-pages.ts'
import { createSay, type Say, type Texts } from '../../kernel/words/text.ts'
import type { Settings } from '../../settings/settings.ts'
import { addVary, tellLanguage } from '../answer-headers.ts'
import type { Call } from '../endpoint.ts'
import type { Origins } from '../origins.ts'
import { type BuiltFiles, createBuiltFiles } from './built-files.ts'
import { allowCaptcha } from './captcha-widget.ts'
import { writePage } from './page.ts'
import { themeOf } from './theme.ts'

export type ShownKey = PageKey | AdminKey

/** What a page says, in the language of its reader. */
export type PageWords = { say: Say<ShownKey>; sayFault(fault: Fault): string }

export type PageContent = {
  title: ShownKey
  /** What visitors see without scripts. `pages` is the path of the hosted pages, or null. */
  body: (words: PageWords, pages: string | null) => Html
  status?: number
  /** The data for the script. Undefined if the page needs none. */
  script?: Omit<PageFacts, 'api' | 'pages' | 'next' | 'words' | 'answers'>
}

/** Answers with a page, in the language of the reader if a cookie tells who reads it. */
export type ShowPage = (
  call: Pick<Call, 'request' | 'reply' | 'identity'>,
  content: PageContent,
) => Promise<string>

export type SitePages = ReturnType<typeof createSitePages>

type Needs = {
  settings: Pick<Settings, 'SITE_NAME' | 'SITE_COLOR' | 'MODULES'>
  languages: Languages
  place: FindPlace
  origins: Origins
  /** The files that the pages load. Without them, those of the hosted pages. */
  files?: () => Promise<BuiltFiles>
}

/** Pages with the name, the colour and the languages of the site. */
export function createSitePages({
  settings,
  languages,
  place,
  origins,
  files = createBuiltFiles('site'),
}: Needs) {
  const { SITE_NAME: site, SITE_COLOR: color, MODULES } = settings
  const theme = themeOf(color)

  const show: ShowPage = async ({ request, reply, identity }, content) => {
    const { title, body, status = 200, script } = content
    const { script: entry, style } = await files()
    const language = languages.ofPage(request, identity?.user.language ?? null)
    tellLanguage(reply, language)
    if (languages.isNegotiated) addVary(reply, 'Cookie')
    const words = wordsOf(language)
    const { AUTH_PREFIX: api, PAGES_PREFIX: prefix } = place()
    /** Where the hosted pages are, and their files; null if they are off. */
    const pages = MODULES.includes('pages') ? prefix : null
    const next = origins.nextOf(request)
    const texts = script && scriptTexts(languages, language, content)
    const told = script && { ...script, ...texts, api, pages, next }
    return writePage(reply, {
      title: `${words.say(title)} · ${site}`,
      status,
      language: language.code,
      // Without hosted pages nothing serves the stylesheet, so it is inlined.
      style: pages === null ? theme + style.text : theme,
      head: html`<link rel="icon" href="${iconOf(color)}">
${pages === null ? [] : html`<link rel="stylesheet" href="${pages}${style.file}">`}
${script ? html`<script type="module" src="${pages ?? ''}${entry}"></script>` : []}`,
      allows: allowCaptcha(
        {
          ...(script && { 'script-src': "'self'", 'connect-src': "'self'" }),
          'style-src': "'self'",
          // The QR code and the icon are in the page itself.
          'img-src': 'data:',
          'form-action': "'self'",
        },
        script?.captcha ?? null,
      ),
      body: html`<div id="app">
<header class="brand">${pages === null ? html`<span>${site}</span>` : html`<a href="${pages}">${site}</a>`}</header>
<main>
<h1>${words.say(title)}</h1>
${body(words, pages)}
</main>
</div>
${told ? html`<script type="application/json" id="facts">${asJson(told)}</script>` : []}`,
    })
  }

  return { show, files, theme }
}

/** The pages say some faults in friendlier words than the API. */
function wordsOf(language: Language): PageWords {
  const { code, words } = language
  const texts: Texts = { ...words.pages, ...words.admin }
  return {
    say: createSay(texts, code),
    sayFault: (fault) =>
      Object.hasOwn(texts, `error.${fault.code}`)
        ? String(texts[`error.${fault.code}`])
        : fault.textIn(language),
  }
}

/** Escapes `<`, so that the value cannot close the script element. */
const asJson = (value: object): Html => ({
  markup: JSON.stringify(value).replaceAll('<', '\\u003c'),
})

/** A keyhole in the colour of the site. */
const iconOf = (color: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><path fill="#fff" d="M16 7a5 5 0 0 0-2.500 9.300L12 25h8l-1.500-8.700A5 5 0 0 0 16 7"/></svg>`,
  )}`

type Message = {
  title: ShownKey
  text: ShownKey
  status?: number
  /** A link to a hosted page, if there are any: its path, and the key of its words. */
  link?: { to: string; words: ShownKey }
}

/** Says what happened, and what to do next. */
export const messagePage = ({ title, text, status = 200, link }: Message): PageContent => ({
  title,
  status,
  body: (words, pages) => html`<p>${words.say(text)}</p>
${link && pages !== null ? html`<p><a class="button primary" href="${pages}${link.to}">${words.say(link.words)}</a></p>` : []}`,
})

const metByUsers = Object.keys(userProblems)
const metByOperators = [...metByUsers, ...Object.keys(operatorProblems)]

/** The first page is small: the account page and the pages for operators bring their own words. */
const untoldAtFirst = { ...plainPages, ...accountPages }

/**
 * What the script of a page says: its words and, if the API speaks another language than the page,
 * refusals by their codes.
 */
function scriptTexts(
  { usual, isNegotiated }: Languages,
  { code: language, words }: Language,
  { title, script }: PageContent,
): Pick<PageFacts, 'words' | 'answers'> {
  const isAdmin = script?.admin !== undefined
  const untold = isAdmin || title === 'account.title' ? plainPages : untoldAtFirst
  const speaksIt = isNegotiated || usual.code === language
  const told = isAdmin ? metByOperators : metByUsers
  return {
    words: {
      ...only(words.pages, (key) => !Object.hasOwn(untold, key)),
      ...(isAdmin && words.admin),
    },
    answers: speaksIt ? {} : only(words.answers, (code) => told.includes(code)),
  }
}

const only = (texts: Texts, isTold: (key: string) => boolean): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isTold(key)))
