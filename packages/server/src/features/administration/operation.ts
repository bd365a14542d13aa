import type { Static, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { orNull } from '../../core/schemas.ts'
import { digest } from '../../crypto/digests.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Method, Refusal } from '../../http/endpoint.ts'
import { type BodyOf, type Fields, optional, text } from '../../http/fields.ts'
import type { Pk } from '../../kernel/ids.ts'
import { type Fault, type FaultCode, fault, fieldProblem, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { AnswerAccount } from './answer-account.ts'
import { integer } from './fields-of-operations.ts'
import type { Permits, Ruled } from './rules.ts'

/** What operations are made from: the house, and what several of them share. */
export type Needs = UpToAccount & {
  answerAccount: AnswerAccount
  cursors: Cursors
  findTarget: FindTarget
}

/** An operation as its table declares it, with its types. */
export type Declaration<F extends Fields, O extends TSchema | null> = Ruled & {
  /**
   * In the admin API: the method, and the path below `/admin/api/`. With `:pk` it acts on the user who
   * has this `pk`; `:id` is anything else.
   */
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly input: F
  /** The audit event of a list that leaves the service as CSV, if it is about people. */
  readonly exportEvent?: string
  /** What it returns. Null: nothing, so the API answers with 204. */
  readonly output: O
  /** Its refusals, in addition to those of the rules and the fields. */
  readonly refusals?: readonly Refusal[]
  readonly faults?: { readonly [Name in keyof F]?: readonly (FaultCode | Fault)[] }
  run(permits: Permits, input: BodyOf<F>): O extends TSchema ? Promise<Static<O>> : Promise<void>
}

/** An operation after type checking: its specific types are no longer needed. */
export type Operation = Omit<Declaration<Fields, TSchema | null>, 'run'> & {
  /** Such as `users.deactivate`. */
  readonly name: string
  run(permits: Permits, input: Record<string, unknown>): Promise<unknown>
}

/** Declares an operation. The table adds its name. */
export const operation = <F extends Fields, O extends TSchema | null>(
  declaration: Declaration<F, O>,
): Declaration<F, O> => declaration

const CURSOR_MAX = 2048
export const LIMIT = 50
/** The most that a list gives at once. */
export const LIMIT_MAX = 200

/** The fields of an operation that lists something page by page. */
export const page = {
  limit: optional(integer({ min: 1, max: LIMIT_MAX })),
  after: optional(text({ max: CURSOR_MAX })),
}

/** What operations that list something have in common, besides those fields. */
export const LIST = {
  method: 'GET',
  changes: false,
  faults: { after: ['invalid_cursor'] },
} as const

export const listOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ results: Type.Array(item), next: orNull(Type.String()) })

/** The output of an operation that lists something, which the admin API also gives as CSV. */
export const listIn = ({ method, output }: Operation): TSchema | null =>
  method === 'GET' && output?.properties?.results ? output : null

/** What the items of a list are made of, such as the columns of its CSV. */
export const columnsOf = (list: TSchema | null): readonly string[] =>
  Object.keys(list?.properties.results.items.properties)

/** A position in a list: the values of its order. Empty where the list begins. */
export type Position = readonly (string | number)[]

export type Asked = { limit?: number | undefined; after?: string | undefined }

/**
 * Cursors of lists. Each is sealed, so clients can neither make one nor read the names in it, and is
 * valid only for the list and the filter that it was made for.
 */
export const createCursors =
  (sealedBox: SealedBox) =>
  (list: string, filter: object = {}) => {
    const owner = `cursor:${list}:${digest(JSON.stringify(filter))}`
    const write = (position: Position | null): string | null =>
      position && sealedBox.seal(JSON.stringify(position), owner)

    function read(cursor: string | undefined): Position {
      if (cursor === undefined) return []
      const opened = sealedBox.open(cursor, owner)
      if (opened === null) throw fieldProblem({ after: [fault('invalid_cursor')] })
      return JSON.parse(opened)
    }

    return {
      write,
      read,

      /** Finds one row more than the page has, to know whether there is a next page. */
      async page<Row>(
        { limit = LIMIT, after }: Asked,
        find: (from: Position, most: number) => Promise<readonly Row[]>,
        positionOf: (row: Row) => Position,
      ): Promise<{ rows: readonly Row[]; next: string | null }> {
        const found = await find(read(after), limit + 1)
        const rows = found.slice(0, limit)
        const last = found.length > limit ? rows.at(-1) : undefined
        return { rows, next: write(last ? positionOf(last) : null) }
      },
    }
  }

type Cursors = ReturnType<typeof createCursors>

type FindTarget = ReturnType<typeof createFindTarget>

/** Finds the user that an operation acts on. */
export const createFindTarget =
  ({ users }: UpToAccount) =>
  async (key: Pk | null): Promise<User> => {
    const user = key === null ? undefined : await users.findByPk(key)
    if (!user) throw problem('not_found')
    return user
  }
