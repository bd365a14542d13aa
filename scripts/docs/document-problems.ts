import { codeInBody, type Row } from '../../packages/server/src/kernel/problem-row.ts'
import { problems } from '../../packages/server/src/kernel/problem-table.ts'
import { formsOf, PLACEHOLDER } from '../../packages/server/src/kernel/words/text.ts'
import { advice } from './problem-advice.ts'

const INTRODUCTION = `# Every error

<!-- Written by scripts/write-docs.js from packages/server/src/kernel/problem-table.ts. -->

You got an error and want to know why. Search this page for its text, or for its code in the log.

An error has one of three bodies. A client that knows these three knows all of them:

| body | meaning |
|---|---|
| \`{"<field>": ["<text>", …]}\` | something is wrong with these fields; all of them are named at once |
| \`{"non_field_errors": ["<text>"]}\` | something is wrong with the fields together |
| \`{"detail": "<text>"}\` | something is wrong with the whole request; sometimes with a \`code\` |

The texts may be in another language ([Languages](languages.md)); the codes are the same in all of them. With \`ERROR_CODES\`, or with the
header \`X-Error-Codes: 1\`, every body also has \`codes\`: \`{"email": ["…"], "codes": {"email": ["invalid_email"]}}\`.

\`REST_FRAMEWORK.NON_FIELD_ERRORS_KEY\` and \`ERRORS_UNDER\` rename the keys. [latchkey-client](../packages/client/README.md)
turns all of this into one class. Every answer has an \`X-Request-Id\`, which is also in the log. "Many" under
"where" means more than five endpoints; [openapi.json](../openapi.json) lists the errors of each. Google
stands for every provider of [social login](social.md).
`

/** A text with values shows their names. */
const wordsOf = ({ words }: Row): string =>
  (formsOf(words).at(-1) ?? '').replace(PLACEHOLDER, '<$1>')

/** Sections in the order in which a reader searches: fields first. */
const SECTIONS: readonly (readonly [string, (row: Row) => boolean])[] = [
  ['400: a field', ({ status, at }) => status === 400 && isField(at)],
  ['400: the fields together', ({ status, at }) => status === 400 && at === 'non_field_errors'],
  ['400: the whole request', ({ status, at }) => status === 400 && at === 'detail'],
  ['401: who is asking?', ({ status }) => status === 401],
  ['403: not allowed', ({ status }) => status === 403],
  ['Other refusals', ({ status }) => status > 403 && status < 500],
  ['Errors of the service', ({ status }) => status >= 500],
]

const isField = (at: string): boolean => at !== 'detail' && at !== 'non_field_errors'

/** The part of an OpenAPI document that is read here. */
type Answer = { $ref?: string; content?: Record<string, { examples?: Record<string, Example> }> }
type Example = { readonly value: Record<string, unknown> }
export type Described = {
  readonly paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  readonly components: { readonly responses: Record<string, Answer> }
}

/** The page of all refusals, as Markdown: their words from the table, their places from OpenAPI. */
export function documentProblems(document: Described): string {
  const found = examplesIn(document)
  const sections = SECTIONS.map(([title, belongs]) => {
    const codes = Object.keys(advice) as (keyof typeof advice)[]
    const byStatus = codes.toSorted((a, b) => problems[a].status - problems[b].status)
    const rows = byStatus.flatMap((code) => {
      const row: Row = problems[code]
      if (!belongs(row)) return []
      const [when, remedy] = advice[code].split(' → ')
      const occurrences = found.filter((one) => one.code === code)
      const body = bodyOf(row, { ...codeInBody(code, row), ...occurrences[0]?.body })
      return [[`\`${code}\``, row.status, `\`${body}\``, when, remedy, whereOf(occurrences)]]
    })
    return `## ${title}\n\n${[HEADER, RULE, ...rows].map(line).join('\n')}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

const HEADER = ['code', 'status', 'body', 'when', 'what to do', 'where']
const RULE = HEADER.map(() => '---')
const line = (cells: readonly unknown[]): string =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

function bodyOf(row: Row, beside: Record<string, unknown>): string {
  const { at } = row
  const words = wordsOf(row)
  const key = at === 'field' ? '<field>' : at
  const body = at === 'detail' ? { detail: words, ...beside } : {}
  const whole = { ...body, [key]: at === 'detail' ? words : [words] }
  return JSON.stringify(whole).replaceAll('":', '": ').replaceAll(',"', ', "')
}

type Occurrence = {
  readonly path: string
  readonly code: string
  readonly body: Record<string, unknown>
}

function examplesIn({ paths, components }: Described): readonly Occurrence[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ $ref, content }) => {
        const name = $ref?.split('/').at(-1) ?? ''
        const { examples = {} } =
          (content ?? components.responses[name]?.content)?.['application/json'] ?? {}
        // The name of an example is a code, after its field if it has one.
        return Object.entries(examples).map(([key, { value }]) => ({
          path: path.slice(1),
          code: key.split(': ').at(-1) ?? '',
          body: value,
        }))
      }),
    ),
  )
}

function whereOf(occurrences: readonly Occurrence[]): string {
  const paths = [...new Set(occurrences.map(({ path }) => path))]
  return paths.length > 5 ? 'many' : paths.map((path) => `\`${path}\``).join(', ')
}
