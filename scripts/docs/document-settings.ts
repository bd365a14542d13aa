import { type Entry, entries } from '../../packages/server/src/settings/names.ts'
import { groupDocs } from '../../packages/server/src/settings/settings.ts'

const INTRODUCTION = `# Settings

<!-- Written by scripts/write-docs.js from the tables in packages/server/src/settings/groups. -->

A setting takes its value from one of four places. If several places set it, the last one wins:

1. **Default.** Latchkey starts without any configuration.
2. **Config file.** The file that \`--config <file>\` or \`LATCHKEY_CONFIG\` names. Without them, it is
   \`latchkey.config.json\`, or the default export of \`latchkey.config.js\` or
   \`latchkey.config.mjs\`, in the working directory. Groups are objects. The names of the environment
   also work as keys.
3. **Environment.** \`REST_AUTH_USE_JWT\` for \`REST_AUTH.USE_JWT\`. An empty variable counts as not
   set. A variable that begins with the name of a group but is not one of its settings stops the
   start, since it is probably a typo.
4. **Command line.** \`--set REST_AUTH.USE_JWT=true\`, any number of times. A path can lead into an
   object: \`--set ACCOUNT.RATE_LIMITS.login_failed=5/m/key\`.

\`\`\`json
{
  "PUBLIC_URL": "https://auth.example.com",
  "REST_AUTH": { "USE_JWT": true, "JWT_AUTH_COOKIE": "access" },
  "SIMPLE_JWT": { "ACCESS_TOKEN_LIFETIME": "10m" }
}
\`\`\`

A program that embeds Latchkey passes an object of the same shape to \`createAuth()\`. Its type is
\`SettingsInput\`: a wrong name or value does not compile, and editors show what a setting does. The
comment \`/** @type {import('latchkey').SettingsInput} */\` does the same for a config file that is a script,
with \`// @ts-check\` at its top.

Unknown names and bad values stop the start, and the message lists all of them.
\`latchkey settings\` shows the values in use and where each comes from. \`latchkey check --deploy\`
names every setting that is unsafe in production.

How values are written:

- A flag is \`true\` or \`false\`; \`1\`, \`yes\`, \`on\` and \`0\`, \`no\`, \`off\` also work.
- A list is a JSON array, or text with commas.
- An object is JSON, also in the environment.
- A duration is a number of seconds, or a number with a unit: \`30s\`, \`5m\`, \`2h\`, \`1.5d\`.
- Where a value is optional, \`none\` or JSON's \`null\` means that there is none.
`

/** What the settings of the top level are about. The first that matches has the setting. */
const SUBJECTS: readonly (readonly [heading: string, names: RegExp])[] = [
  ['Database', /^DATABASE_/],
  ['Mails and their links', /^EMAIL_|^PASSWORD_RESET_URL/],
  ['Invitations', /^INVITATION/],
  ['Languages', /^LANGUAGE|^WORDS_DIR|^ERROR_CODES/],
  ['Keys and passwords', /^SECRET_KEY|^INTROSPECTION_KEY|^PASSWORD_/],
  ['Second factors, tokens and keys for programs', /^MFA_|^TOKEN_|^API_KEY/],
  ['Cookies and other origins', /^SESSION_|^CSRF_|^CORS_/],
  ['Administration', /^ADMIN_|^AUDIT_/],
  ['Users from a Django project', /^DJANGO_/],
]

const OTHERS = 'The service'

const headingOf = ({ group, name }: Entry): string =>
  group ?? SUBJECTS.find(([, names]) => names.test(name))?.[0] ?? OTHERS

/** The reference page of all settings, as Markdown. */
export function documentSettings(): string {
  const subjects = [OTHERS, ...SUBJECTS.map(([heading]) => heading)].map((heading) => [heading])
  const sections = [...subjects, ...Object.entries(groupDocs)].map(([heading = '', about]) => {
    const rows = entries.filter((entry) => headingOf(entry) === heading).map(rowOf)
    const title = `## ${heading}\n\n${about ? `${about}\n\n` : ''}`
    return `${title}| setting | value | default | |\n|---|---|---|---|\n${rows.join('')}`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

function rowOf({ name, setting: { kind, defaultText, doc } }: Entry): string {
  const cells = [code(name), plain(kind.expected), code(defaultText), linked(doc)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

const code = (text: string): string => `\`${text}\``

/** Escapes what Markdown would read as tags or emphasis. */
const plain = (text: string): string => text.replace(/[<*]/g, '\\$&')

/** The page is in the folder of the documents. */
const linked = (text: string): string => text.replace(/docs\/([\w-]+\.md)/g, '[$1]($1)')
