import { type Entry, entries, groupNames } from '../../packages/server/src/settings/names.ts'

const INTRODUCTION = `# Settings

<!-- Written by scripts/write-docs.js from the tables in packages/server/src/settings/groups. -->

A setting takes its value from one of four places. If several places set it, the last one wins:

1. **Default.** Latchkey starts without any configuration.
2. **Config file.** The file that \`--config <file>\` or \`LATCHKEY_CONFIG\` names. Without them, it is
   \`latchkey.config.json\`, or the default export of \`latchkey.config.js\` or
   \`latchkey.config.mjs\`, in the working directory. Groups are objects, and settings of the
   top level are keys. The flat form \`GROUP_NAME\` also works as a key.
3. **Environment.** \`GROUP_NAME\`, such as \`REST_AUTH_USE_JWT\`. A setting of the top level has its
   plain name. An empty variable counts as not set. A variable that begins with the name of a group
   but is not one of its settings stops the start, since it is probably a typing error.
4. **Command line.** \`--set GROUP.NAME=value\` or \`--set NAME=value\`, any number of times. A path can
   lead into an object: \`--set ACCOUNT.RATE_LIMITS.login_failed=5/m/key\`.

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

/** The reference page of all settings, as Markdown. */
export function documentSettings(): string {
  const sections = [null, ...groupNames].map((group) => {
    const rows = entries.filter((entry) => entry.group === group).map(cellsOf)
    return `## ${group ?? 'Top level'}\n\n${table([HEADER, ...rows])}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

const HEADER = ['setting', 'value', 'default', '']

const cellsOf = ({ key, setting: { kind, defaultText, doc } }: Entry): readonly string[] =>
  [code(key), plain(kind.expected), code(defaultText), doc].map((cell) =>
    cell.replaceAll('|', '\\|'),
  )

const code = (text: string): string => `\`${text}\``

/** Escapes what Markdown would read as tags or emphasis. */
const plain = (text: string): string => text.replace(/[<*]/g, '\\$&')

/** The columns are aligned, so that the Markdown is also readable as text. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => row[column]?.padEnd(width)).join(' | ')} |`
  const [header, ...body] = rows.map(line)
  return [header, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
