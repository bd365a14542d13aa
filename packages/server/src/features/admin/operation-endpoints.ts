import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { type AdminCaller, type Device, pkOf } from '../../core/identity.ts'
import type { Authenticate } from '../../http/authenticate.ts'
import type { Endpoint, Refusal } from '../../http/endpoint.ts'
import { optional, readFields } from '../../http/fields.ts'
import { serialiserOf } from '../../http/serialise.ts'
import type { HttpTools } from '../../http/tools.ts'
import { csvLine } from '../../kernel/csv.ts'
import { isObject } from '../../kernel/json-object.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { choice, reason } from '../administration/fields-of-operations.ts'
import { columnsOf, LIMIT_MAX, listIn, type Operation } from '../administration/operation.ts'
import type { OperationName, Operations } from '../administration/operations.ts'
import type { Actor } from '../administration/rules.ts'
import type { MustBeValid } from './authenticate-admin.ts'

type Needs = {
  operations: Operations
  authenticate: Authenticate<AdminCaller>
  mustBeValid: MustBeValid
  http: Pick<HttpTools, 'deviceOf'>
}
type Given = Record<string, unknown>
type Page = { results: Record<string, unknown>[]; next: string | null }

const format = { format: optional(choice(['json', 'csv'])) }

const Csv = Type.String({ $id: 'Csv', contentMediaType: 'text/csv' })

/** Every operation, as an endpoint of the admin API. */
export const operationEndpoints = (needs: Needs): Endpoint<AdminCaller>[] =>
  needs.operations.all.map((one) => endpointOf(one, needs))

function endpointOf(operation: Operation, needs: Needs): Endpoint<AdminCaller> {
  const { operations, authenticate, mustBeValid, http } = needs
  const { method, path, name, summary, changes } = operation
  const list = listIn(operation)
  const inQuery = method === 'GET' || method === 'DELETE'
  const fields = Object.entries(operation.input).filter(([key]) => !path.includes(`:${key}/`))
  const given = {
    ...Object.fromEntries(fields),
    ...(list && format),
    ...(operation.exportEvent && { reason: reason() }),
  }
  const admits = { access: 'signed-in', restricted: 'refused' } as const

  // The table has checked the types.
  return {
    method,
    path,
    operationId: name.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    ...admits,
    freshness: changes ? 'always-required' : 'not-needed',
    throttle: 'auth_service',
    // The scope of a key is checked before the fields, so the operation reads them.
    ...(inQuery ? { query: given } : { body: given, readsBody: true as const }),
    replies: repliesOf(operation),
    refusals: refusalsOf(operation),
    ...(operation.faults && { faults: operation.faults }),
    async handle({ identity, request, reply, params }) {
      const actorFor = (caller: AdminCaller | null): Actor => {
        if (!caller) throw problem('not_authenticated')
        return {
          ...actorOf(caller, http.deviceOf(request)),
          mustBeValid: (tx: Tx) => mustBeValid(caller, tx),
        }
      }
      const run = (caller: AdminCaller | null, given: Given) =>
        operations.call(actorFor(caller), name as OperationName, given)
      const input = inputOf(inQuery ? request.query : request.body, params)
      if (!list || formatIn(input) === 'json') return run(identity, input)
      // A client may read slowly. Its credential may have been ended since the page before.
      const read = async (more: Given) =>
        run(await authenticate(request, admits), { ...input, ...more })
      const lines = csvOf(list, read, input)
      // The first page is read before the answer begins, so that a refusal has its own status.
      const { value: first = '' } = await lines.next()
      await operations.recordExport(actorFor(identity), operation, input)
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName(path)}"`)
      return Readable.from(startingWith(first, lines))
    },
  }
}

const OF_CALLERS = [
  'admin_key_invalid',
  'mfa_setup_required',
  'not_allowed',
  'scope_missing',
] as const

const refusalsOf = ({ changes, path, refusals = [] }: Operation): Refusal[] => [
  ...OF_CALLERS,
  ...(changes && path.includes(':pk') ? (['own_account', 'equal_or_above'] as const) : []),
  ...refusals,
]

/** Creating something answers 201. */
function repliesOf(operation: Operation): Record<number, TSchema | null> {
  const { method, path, output } = operation
  if (!output) return { 204: null }
  const isNew = method === 'POST' && !path.includes(':')
  return { [isNew ? 201 : 200]: listIn(operation) ? Type.Union([output, Csv]) : output }
}

/** Keeps the object itself: it knows how its numbers were written. */
const inputOf = (given: unknown = {}, params: Given): Given =>
  // The operation refuses what is not an object.
  isObject(given) ? Object.assign(given, params) : (given as Given)

/** Such as `users-tokens.csv` for `users/:pk/tokens/`. */
const fileName = (path: string) =>
  `${path
    .replace(/:\w+\//g, '')
    .replace(/\/$/, '')
    .replaceAll('/', '-')}.csv`

const formatIn = (input: Given) => readFields(format, input).format ?? 'json'

/** Who acts, from the view of the rules. */
function actorOf(caller: AdminCaller, { address }: Device): Actor {
  if (caller.kind === 'key') {
    const { id, name, scopes } = caller
    return { kind: 'key', name, pk: id, address, may: scopes }
  }
  const { user } = caller.identity
  const { id, username } = user
  const may = user.is_superuser === 1 ? 'superuser' : 'staff'
  return { kind: 'person', name: username, pk: pkOf(user), id, address, may }
}

/** The lines of a list: one page if the caller gave a `limit`, otherwise all. */
async function* csvOf(output: TSchema, read: (more: Given) => Promise<unknown>, asked: Given) {
  // Nothing but the columns of the schema leaves the service, as in JSON.
  const write = serialiserOf(output)
  const columns = columnsOf(output)
  const isOnePage = asked.limit !== undefined
  let text = csvLine(columns)
  let after: string | null = null
  do {
    const more = {
      ...(!isOnePage && { limit: String(LIMIT_MAX) }),
      ...(after !== null && { after }),
    }
    const { results, next }: Page = JSON.parse(write(await read(more)))
    for (const row of results) text += csvLine(columns.map((name) => row[name]))
    yield text
    // On SQLite nothing else here lets other requests run.
    await nextTurn()
    text = ''
    after = isOnePage ? null : next
  } while (after !== null)
}

async function* startingWith(first: string, rest: AsyncGenerator<string>) {
  yield first
  yield* rest
}
