import type { Static, TSchema } from '@sinclair/typebox'
import type { Method, Refusal } from '../../http/endpoint.ts'
import type { BodyOf, Fields } from '../../http/fields.ts'
import type { Fault, FaultCode } from '../../kernel/problems.ts'
import type { Actor } from './actor.ts'
import type { Ruled } from './rules.ts'

/** An operation as its table declares it, with its types. */
export type Declaration<F extends Fields, O extends TSchema | null> = Ruled & {
  /** In the admin API: the method, and the path below `/admin/api/` with `:pk` or `:id`. */
  readonly method: Method
  readonly path: string
  readonly summary: string
  /** Which user it acts on: the one with the `pk` of its input, or none. */
  readonly actsOn: 'user' | null
  /** A `GET` that gives its `results` as CSV, too. */
  readonly csv?: boolean
  readonly input: F
  /** What it returns. Null: nothing, so the API answers with 204. */
  readonly output: O
  /** Its refusals, in addition to those of the rules and the fields. */
  readonly refusals?: readonly Refusal[]
  readonly faults?: { readonly [Name in keyof F]?: readonly (FaultCode | Fault)[] }
  run(actor: Actor, input: BodyOf<F>): O extends TSchema ? Promise<Static<O>> : Promise<void>
}

/** An operation after type checking: its specific types are no longer needed. */
export type Operation = Omit<Declaration<Fields, TSchema | null>, 'run'> & {
  /** Such as `users.deactivate`. */
  readonly name: string
  run(actor: Actor, input: Record<string, unknown>): Promise<unknown>
}

/** Declares an operation. The table adds its name. */
export const operation = <F extends Fields, O extends TSchema | null>(
  declaration: Declaration<F, O>,
): Declaration<F, O> => declaration
