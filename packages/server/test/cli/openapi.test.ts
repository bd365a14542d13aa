import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { NO_EXAMPLE } from '../../src/http/openapi-examples.ts'
import { problems } from '../../src/kernel/problem-table.ts'
import { newCli } from './support/cli.ts'

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

type Content = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Response = { $ref?: string; content?: Record<string, Content> }
type Operation = {
  operationId: string
  tags: string[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Response>
}
type OpenApi = {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}

function read(file: string) {
  const committed = readFileSync(root(file), 'utf8')
  const document: OpenApi = JSON.parse(committed)
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return { file, committed, document, operations }
}

const ofService = read('openapi.json')
const ofAdmin = read('openapi-admin.json')

describe.each([
  { ...ofService, flags: [] },
  { ...ofAdmin, flags: ['--admin'] },
])('$file', ({ committed, document, operations, flags }) => {
  test('is what the endpoints say (npm run docs)', async () => {
    const { run } = await newCli()
    const config = root('scripts/openapi.config.json')
    const { stdout } = await run(['openapi', '--config', config, ...flags])
    expect(committed).toBe(stdout)
  })

  test('is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(committed))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    const found = [...committed.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(found).not.toEqual([])
    for (const path of new Set(found)) expect(document).toHaveProperty(path.split('/'))
  })

  test('shares one answer of status 403, under a name that fits all its refusals', () => {
    const { Forbidden } = document.components.responses
    const refusals = Object.keys(Forbidden?.content?.['application/json']?.examples ?? {})
    expect(refusals).toEqual(expect.arrayContaining(['impersonating', 'mfa_setup_required']))
  })

  test('names every operation once, tags it, and says what a good answer is', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    const tags = document.tags.map(({ name }) => name)
    for (const { operationId, responses, tags: own } of operations) {
      const statuses = Object.keys(responses)
      expect(
        statuses.some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true)
      expect(tags, operationId).toEqual(expect.arrayContaining(own))
      expect(own, operationId).toHaveLength(1)
    }
  })

  test('has an example of every body and every good answer, and no value in it is made of nothing', () => {
    for (const { operationId, requestBody, responses } of operations) {
      const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const contents = [requestBody, ...good.map(([, response]) => response)]
      for (const content of contents.map((each) => each?.content?.['application/json'])) {
        if (!content) continue
        const examples = Object.values(content.examples ?? { only: { value: content.example } })
        expect(examples, operationId).not.toEqual([])
        for (const { value } of examples) {
          expect(value, operationId).toBeDefined()
          expect(JSON.stringify(value), operationId).not.toContain(JSON.stringify(NO_EXAMPLE))
        }
      }
    }
  })
})

/** Used only in the log, or only by a service that is built into a program with hooks. */
const NEVER_SENT = ['client_gone', 'refused_by_host']

/** Possible only with other settings than those of the document. */
const ELSEWHERE = [
  ...['invalid_date', 'invalid_integer', 'invalid_number'],
  ...['invalid_url', 'not_logged_in', 'not_unique'],
  ...['too_large', 'too_many_elements', 'too_small'],
]

const USER_FIELDS = {
  flag: { type: 'boolean' },
  date: { type: 'date' },
  time: { type: 'datetime' },
  count: { type: 'integer', min: 1, max: 9 },
  size: { type: 'number' },
  site: { type: 'url', unique: true },
  plan: { type: 'string', choices: ['free'] },
  tags: { type: 'list' },
}

/** The codes of all refusals in a document. */
function codesIn({ operations, document }: typeof ofService): string[] {
  const responses = [
    ...operations.flatMap((operation) => Object.values(operation.responses)),
    ...Object.values(document.components.responses),
  ]
  const names = responses.flatMap((response) =>
    Object.keys(response.content?.['application/json']?.examples ?? {}),
  )
  return names.map((name) => name.split(': ').at(-1) ?? '')
}

test('every refusal is listed with an operation, or among the components', () => {
  const listed = new Set([...codesIn(ofService), ...codesIn(ofAdmin), ...ELSEWHERE, ...NEVER_SENT])
  expect(Object.keys(problems).filter((code) => !listed.has(code))).toEqual([])
  const codes = codesIn(ofService)
  expect(ELSEWHERE.filter((code) => codes.includes(code))).toEqual([])
})

test('refusals that need other settings are listed with those', async () => {
  const { run } = await newCli()
  const settings = { USE_JWT: 'false', SESSION_LOGIN: 'false', OLD_PASSWORD_FIELD_ENABLED: 'true' }
  const flags = Object.entries(settings).flatMap(([name, value]) => [
    '--set',
    `REST_AUTH.${name}=${value}`,
  ])
  const { stdout } = await run([
    'openapi',
    ...flags,
    '--set',
    `USER_FIELDS=${JSON.stringify(USER_FIELDS)}`,
  ])
  for (const code of ELSEWHERE) expect(stdout).toContain(code)
})
