import { fault } from '../kernel/problems.ts'
import { nameOfType } from '../kernel/texts.ts'
import type { Field } from './fields.ts'

/** How much of a wrong scope the fault repeats. */
const QUOTED_MAX = 64

/** What a key may do: at least one of these scopes. */
export const scopesOf = <Scope extends string>(
  known: readonly Scope[],
): Field<readonly Scope[]> => ({
  optional: false,
  isList: true,
  schema: { type: 'array', items: { type: 'string', enum: known }, minItems: 1 },
  faults: [fault('not_a_choice', { input: 'x' }), fault('not_a_list', { got: 'str' })],
  read(input) {
    if (!Array.isArray(input)) return { faults: [fault('not_a_list', { got: nameOfType(input) })] }
    if (input.length === 0) return { faults: [fault('blank')] }
    const wrong = input.find((one) => !known.includes(one))
    if (wrong === undefined) return { value: [...new Set(input as Scope[])] }
    const got = typeof wrong === 'string' ? wrong.slice(0, QUOTED_MAX) : nameOfType(wrong)
    return { faults: [fault('not_a_choice', { input: got })] }
  },
})
