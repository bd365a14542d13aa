import { html } from '../../kernel/html.ts'
import type { PageContent } from './answer-page.ts'

/** Says that something worked; with a prefix, where to go on. */
export const donePage = (key: string, prefix?: string): PageContent => ({
  title: `${key}.title`,
  body: (words) => html`<p>${words.say(`${key}.text`)}</p>
${prefix ? html`<p><a class="button primary" href="${prefix}login/">${words.say('toLogin')}</a></p>` : []}`,
})

/** Says that a link of a mail does not work any more. */
export const tooLatePage = (key: string, prefix: string, path = ''): PageContent => ({
  title: 'tooLate.title',
  body: (words) => html`<p>${words.say(`${key}.text`)}</p>
<p><a class="button" href="${prefix}${path}">${words.say(`${key}.link`)}</a></p>`,
  status: 404,
})
