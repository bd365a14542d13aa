import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contractTypes } from '../build/contract-types.js'
import { endpoints, isPublic, signsIn, type Table } from '../src/endpoints.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const document = JSON.parse(read('../../../openapi.json'))

test('the types are those of openapi.json; `npm run docs` writes them', () => {
  expect(read('../src/contract.ts')).toBe(contractTypes(document))
})

type Operation = { operationId: string; security?: unknown[]; responses: object }

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = operation.operationId.startsWith('social')
        ? path.replace(/^\/[^/]+/, '/{provider}')
        : path
      return { ...operation, path: name.slice(1), call: `${method.toUpperCase()} ${name.slice(1)}` }
    }),
)

const callsOf = (table: Table): string[] =>
  Object.values(table).flatMap((entry) => (typeof entry === 'string' ? entry : callsOf(entry)))

/**
 * What the client does by itself, what is the same as another, what is a page for a browser, and what
 * only other services may ask.
 */
const NOT_IN_THE_TABLE = [
  'POST logout/',
  'POST token/refresh/',
  'GET csrf/',
  'POST introspect/',
  'PUT passkeys/{id}/',
  'POST mfa/recovery-codes/',
  'POST registration/account-confirm-email/',
  'GET registration/account-confirm-email/{key}/',
  'POST registration/account-confirm-email/{key}/',
  'GET registration/account-email-verification-sent/',
  'POST password/reset/confirm/{uid}/{token}/',
  'GET email/change/confirm/{key}/',
  'POST email/change/confirm/{key}/',
]

test('every endpoint of the contract has a place', () => {
  const placed = [...callsOf(endpoints), ...NOT_IN_THE_TABLE]
  expect(placed.toSorted()).toEqual(operations.map(({ call }) => call).toSorted())
})

test('the client knows which need no login', () => {
  const placed = operations.filter(({ call }) => callsOf(endpoints).includes(call))
  const open = placed.filter(({ security }) => security?.length === 0).map(({ path }) => path)
  expect(placed.map(({ path }) => path).filter(isPublic)).toEqual(open)
})

test('the client knows which answer with a login', () => {
  const isLogin = ({ responses }: Operation) => JSON.stringify(responses).includes('/LoginAnswer')
  const logins = operations.filter(isLogin).map(({ path }) => path)
  expect(
    operations
      .map(({ path }) => path)
      .filter(signsIn)
      .toSorted(),
  ).toEqual(logins.toSorted())
})
