import { html } from '../../kernel/html.ts'
import type { PageContent } from './site-page.ts'

type Message = {
  /** Keys of the words. */
  title: string
  text: string
  status?: number
  /** Where to go on, if there are hosted pages: a path below theirs, and the key of its words. */
  link?: { to: string; words: string }
}

/** Says what happened, and where to go on. */
export const messagePage = ({ title, text, status = 200, link }: Message): PageContent => ({
  title,
  status,
  body: (words, pages) => html`<p>${words.say(text)}</p>
${link && pages !== null ? html`<p><a class="button primary" href="${pages}${link.to}">${words.say(link.words)}</a></p>` : []}`,
})
