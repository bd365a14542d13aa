import { html } from '../../kernel/html.ts'
import type { PageContent } from './site-page.ts'

type Message = {
  /** Keys of the words. */
  title: string
  text: string
  status?: number
  /** Where to go on; null if there is nowhere to go. */
  link?: { to: string; words: string } | null
}

/** Says what happened, and where to go on. */
export const messagePage = ({ title, text, status = 200, link }: Message): PageContent => ({
  title,
  status,
  body: (words) => html`<p>${words.say(text)}</p>
${link ? html`<p><a class="button primary" href="${link.to}">${words.say(link.words)}</a></p>` : []}`,
})
