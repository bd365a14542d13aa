import { type Entry, entries, groupNames } from './names.ts'

const INTRODUCTION = `# Settings

<!-- Written by scripts/write-docs.js from the table in packages/server/src/settings.ts. -->

A setting takes its value from one of four places. Later ones win:

1. **Default.** Latchkey starts without any configuration at all.
2. **Config file.** The one named by \`--config <file>\` or \`LATCHKEY_CONFIG\`, else
   \`latchkey.config.json\` or \`latchkey.config.js\` (its default export) in the working directory.
   Groups are objects, the settings of the top level are keys; the flat form \`GROUP_NAME\` is
   accepted as a key, too.
3. **Environment.** \`GROUP_NAME\`, such as \`REST_AUTH_USE_JWT\`; a setting of the top level bears its
   plain name. An empty variable counts as not set. A variable that begins with a group's name and
   is none of its settings stops the start: it is a slip of the pen.
4. **Command line.** \`--set GROUP.NAME=value\` or \`--set NAME=value\`, as often as needed. A path may
   lead into an object: \`--set ACCOUNT.RATE_LIMITS.login_failed=5/m/key\`.

\`\`\`json
{
  "PUBLIC_URL": "https://auth.example.com",
  "REST_AUTH": { "USE_JWT": true, "JWT_AUTH_COOKIE": "access" },
  "SIMPLE_JWT": { "ACCESS_TOKEN_LIFETIME": "10m" }
}
\`\`\`

A program that embeds Latchkey hands \`createAuth()\` an object of the same shape.

Unknown names and bad values stop the start, with one message that lists them all.
\`latchkey settings\` shows what is in force and where it came from; \`latchkey check --deploy\` names
every choice that is unsafe in production.

How values are written: a flag is \`true\` or \`false\` (also \`1\`, \`yes\`, \`on\` and \`0\`, \`no\`, \`off\`).
A list is a JSON array, or text with commas. An object is JSON, in the environment too. A duration is
a number of seconds or has a unit: \`30s\`, \`5m\`, \`2h\`, \`1.5d\`. Where a value may be absent, \`none\` or
JSON's \`null\` says so.
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

/** With aligned columns, as the project's formatter wants it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => row[column]?.padEnd(width)).join(' | ')} |`
  const [header, ...body] = rows.map(line)
  return [header, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
