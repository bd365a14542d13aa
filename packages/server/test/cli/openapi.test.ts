import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const committed = readFileSync(root('openapi.json'), 'utf8')

type Operation = { operationId: string; responses: object }
const document: { paths: Record<string, Record<string, Operation>>; components: object } =
  JSON.parse(committed)

test('openapi.json is what the endpoints say (npm run docs)', async () => {
  const { run } = await newCli()
  const { stdout } = await run(['openapi', '--config', root('scripts/openapi.config.json')])
  expect(committed).toBe(stdout)
})

test('every reference in it leads somewhere', () => {
  const references = [...committed.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)]
  const named = references.map(([, name]) => name)
  expect(named).not.toEqual([])
  expect(document.components).toHaveProperty('schemas')
  const { schemas } = document.components as { schemas: object }
  for (const name of named) expect(schemas).toHaveProperty(name ?? '')
})

test('what a bad token is answered with is told where tokens are taken', () => {
  for (const path of ['/token/verify/', '/token/refresh/', '/logout/', '/user/']) {
    for (const { responses } of Object.values(document.paths[path] ?? {})) {
      expect(Object.keys(responses), path).toContain('401')
    }
  }
})

test('every operation has a name of its own, and says what a good answer is', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const { operationId, responses } of operations) {
    expect(
      Object.keys(responses).some((status) => status.startsWith('2')),
      operationId,
    ).toBe(true)
  }
})
