import { type Html, html } from '../../kernel/html.ts'
import type { Mail } from '../../mailer/transport.ts'

/** The mails, newest first, with their links, which are what one looks for. */
export function listOf(mails: readonly Mail[], here: string): Html {
  if (mails.length === 0) {
    return html`<div class="empty">
<p><strong>No mails yet</strong></p>
<p class="hint">Mails that the service sends appear here by themselves.</p>
</div>`
  }
  return html`<ol>${mails.map(
    (mail) => html`<li>
<h2><a href="${here}${mail.id}/">${mail.subject}</a></h2>
${factsOf(mail)}
${linksIn(mail).map((link) => html`<p class="link"><a href="${link}">${link}</a></p>`)}
</li>
`,
  )}</ol>`
}

/** One mail, as a mail program shows it, and its text. */
export const viewOf = (
  mail: Mail,
  here: string,
): Html => html`<p><a href="${here}../">All mails</a></p>
${factsOf(mail)}
<iframe title="The mail as HTML" src="${here}html/" sandbox="allow-top-navigation-by-user-activation"></iframe>
<h2>As plain text</h2>
<pre>${mail.text.split('\n').map(lineOf)}</pre>`

const factsOf = ({ to, postedAt }: Mail): Html => {
  const time = new Date(postedAt)
  return html`<p class="hint">To ${to} · <time datetime="${time.toISOString()}">${shown(time)}</time></p>`
}

/** The time of this machine, where the reader sits. */
const shown = (time: Date): string => time.toLocaleString('sv-SE')

/** In every mail a link stands on a line of its own. */
const LINK = /^https?:\/\/\S+$/

const linksIn = ({ text }: Mail): string[] => text.split('\n').filter((line) => LINK.test(line))

const lineOf = (line: string): Html =>
  LINK.test(line) ? html`<a href="${line}">${line}</a>\n` : html`${line}\n`
