import type { Static, TSchema } from '@sinclair/typebox'
import { readFields } from '../../http/fields.ts'
import type { Pk } from '../../kernel/ids.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import { NO_USER } from '../audit/audit.ts'
import { accountOperations } from './account-operations.ts'
import { adminKeyOperations } from './admin-key-operations.ts'
import { createAnswerAccount } from './answer-account.ts'
import { reason } from './fields-of-operations.ts'
import { findOperations } from './find-operations.ts'
import { invitationOperations } from './invitation-operations.ts'
import { createCursors, createFindTarget, type Declaration, type Operation } from './operation.ts'
import { recordOperations } from './record-operations.ts'
import { type Actor, because, isOfRules, operatorOf, permitsOf, refusalFor } from './rules.ts'
import { type ServiceNeeds, serviceOperations } from './service-operations.ts'
import { userOperations } from './user-operations.ts'

/*
 * Everything that operators can do, described once. The command line, `auth.admin`, the admin API and
 * its pages all call it in one way:
 *
 *   await operations.call(actor, 'users.deactivate', { pk: 7, reason: 'Spam' })
 *
 * The actor says who acts and what they may do. The input is one object: for the API the
 * parameters of the path, and the query or the body. `call` asks the rules (`rules.ts`), reads the
 * fields, runs the operation and returns its output. A refusal is a thrown `Problem`; what the rules
 * refuse leaves an audit row. `operations.all` lists the operations for routes, documents and tests.
 */

export type Operations = ReturnType<typeof createOperations>
type Table = ReturnType<typeof tableOf>
type Given = Readonly<Record<string, unknown>>
export type OperationName = keyof Table

/** What an operation returns. */
export type OutputOfOperation<N extends OperationName> =
  Table[N] extends Declaration<infer _F, infer O>
    ? O extends TSchema
      ? Static<O>
      : undefined
    : never

const tableOf = (house: ServiceNeeds) => {
  const answerAccount = createAnswerAccount(house)
  const cursors = createCursors(house.sealedBox)
  const needs = { ...house, answerAccount, cursors, findTarget: createFindTarget(house) }
  return {
    ...findOperations(needs),
    ...accountOperations(needs),
    ...userOperations(needs),
    ...invitationOperations(needs),
    ...recordOperations(needs),
    ...serviceOperations(needs),
    ...adminKeyOperations(needs),
  }
}

type Described = Readonly<Record<OperationName, Operation>>

function describedIn(table: Table): Described {
  const described = Object.entries(table).map(([name, declared]) => {
    // Each operation reads its own fields, so its types have done their work.
    const { input, ...rest } = declared as unknown as Operation
    const whole = { ...(rest.changes && { reason: reason() }), ...input }
    return [name, { ...rest, name, input: whole }] as const
  })
  return Object.fromEntries(described) as Described
}

export function createOperations(house: ServiceNeeds) {
  const { audit, users } = house
  let known: Described | undefined
  /** Described when they are first needed, which many services never do. */
  const described = (): Described => {
    known ??= describedIn(tableOf(house))
    return known
  }

  return {
    get all(): readonly Operation[] {
      return Object.values(described())
    },

    named: (name: OperationName): Operation => described()[name],

    async call<N extends OperationName>(
      actor: Actor,
      name: N,
      input: Given,
    ): Promise<OutputOfOperation<N>> {
      return (await run(actor, described()[name], input)) as OutputOfOperation<N>
    },

    /** Call it before a list leaves the service as CSV. */
    async recordExport(actor: Actor, { exportEvent: event }: Operation, input: Given) {
      if (event === undefined) return
      const { reason: why } = readFields({ reason: reason() }, input)
      const operator = operatorOf(because(actor, why))
      // A stolen key that can only read must not fill the table.
      const bounded = actor.kind === 'key' && { countedBy: `key ${operator.pk}` }
      await audit.record({ userId: NO_USER, event, operator, ...bounded })
    },
  }

  async function run(actor: Actor, operation: Operation, input: Given): Promise<unknown> {
    const early = refusalFor(actor, operation)
    if (early) {
      await recordRefusal(actor, operation, NO_USER, early)
      throw problem(early)
    }
    const { reason: why, ...given } = readFields(operation.input, input)
    const by = because(actor, why)
    try {
      return await operation.run(permitsOf(by, operation, house), given)
    } catch (error) {
      if (error instanceof Problem && isOfRules(error.message)) {
        const key = given.pk as Pk | null | undefined
        const user = key == null ? undefined : await users.findByPk(key)
        await recordRefusal(by, operation, user?.id ?? NO_USER, error.message)
      }
      throw error
    }
  }

  /** A stolen key must not fill the table, so only the first refusals of a day are kept. */
  async function recordRefusal(
    actor: Actor,
    { name }: Operation,
    userId: number,
    code: string,
  ): Promise<void> {
    const operator = operatorOf(actor)
    const countedBy = `${operator.kind} ${operator.pk ?? operator.name} ${name} ${userId}`
    const details = { operation: name, code }
    await audit.record({ userId, event: 'operation_refused', details, operator, countedBy })
  }
}
