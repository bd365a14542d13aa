import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { NO_EXAMPLE } from '../../src/http/openapi-examples.ts'
import { problems } from '../../src/kernel/problem-table.ts'
import { newCli } from './support/cli.ts'

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const committed = readFileSync(root('openapi.json'), 'utf8')

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
const document: OpenApi = JSON.parse(committed)
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

test('openapi.json is what the endpoints say (npm run docs)', async () => {
  const { run } = await newCli()
  const { stdout } = await run(['openapi', '--config', root('scripts/openapi.config.json')])
  expect(committed).toBe(stdout)
})

test('it is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(committed))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  const references = [...committed.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references).not.toEqual([])
  for (const path of new Set(references)) expect(document).toHaveProperty(path.split('/'))
})

test('every operation has a unique name, a tag, and says what a good answer is', () => {
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

test('every body and every good answer has an example, and no value in it is made of nothing', () => {
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

/** Used only in the log, or only by a service that is built into a program with hooks. */
const NEVER_SENT = ['client_gone', 'refused_by_host']

/** Possible only with other settings than those of the document. */
const ELSEWHERE = [
  ...['invalid_boolean', 'invalid_date', 'invalid_datetime', 'invalid_integer', 'invalid_number'],
  ...['invalid_url', 'not_a_choice', 'not_a_list', 'not_logged_in', 'not_unique'],
  ...['too_large', 'too_many_elements', 'too_small'],
]

/** Only operators get these, from the admin API, which has a document of its own. */
const FOR_OPERATORS = [
  ...['admin_key_invalid', 'admin_proof_needed', 'equal_or_above', 'invalid_cursor'],
  ...['mail_limit_reached', 'mfa_setup_required', 'not_a_dictionary', 'not_allowed'],
  ...['not_impersonable', 'own_account', 'passkey_required', 'scope_missing', 'unknown_field'],
  ...['user_not_active', 'user_without_address'],
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

test('every refusal of the service is listed with an operation, or among the components', () => {
  const responses = [
    ...operations.flatMap((operation) => Object.values(operation.responses)),
    ...Object.values(document.components.responses),
  ]
  const names = responses.flatMap((response) =>
    Object.keys(response.content?.['application/json']?.examples ?? {}),
  )
  const codes = new Set(names.map((name) => name.split(': ').at(-1)))
  const unlisted = Object.keys(problems).filter(
    (code) => !codes.has(code) && !NEVER_SENT.includes(code),
  )
  expect(unlisted.toSorted()).toEqual([...ELSEWHERE, ...FOR_OPERATORS].toSorted())
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
