import { type Fault, fault, fieldProblem, Problem } from './problems.ts'

/** Words for the whole form, or for single fields. */
export type RefusalWords = string | Readonly<Record<string, readonly string[]>>

/** An example for the documents. The host chooses the real words. */
export const EXAMPLE_WORDS = 'Please ask an administrator.'

/** A refusal in the words of the host. */
export class HostRefusal extends Problem {
  readonly words: readonly string[]
  /** Only objects made by the constructor have this field. A proxy does not. */
  readonly #isGenuine = true

  static is(thrown: unknown): thrown is HostRefusal {
    return typeof thrown === 'object' && thrown !== null && #isGenuine in thrown
  }

  constructor(why: RefusalWords) {
    const faults = faultsOf(why)
    const { status, body, message } = fieldProblem(faults)
    super(status, body, message)
    this.words = typeof why === 'string' ? [why] : Object.values(why).flat()
  }
}

/**
 * Call it in a hook to refuse with status 400 and these words. It throws, so a hook needs no
 * `throw` of its own.
 */
export function refuse(why: RefusalWords): never {
  throw new HostRefusal(why)
}

/** The faults that a rule of the host found in a field. A hole in the list is refused, too. */
export const faultsInWords = (words: readonly string[]): Fault[] => [...words.values()].map(inWords)

const inWords = (words: unknown): Fault => {
  if (typeof words !== 'string' || words.trim() === '') {
    throw new TypeError('The words of a refusal must be texts that are not empty.')
  }
  return fault('refused_by_host', { words })
}

function faultsOf(why: RefusalWords): Record<string, Fault[]> {
  if (typeof why === 'string') return { non_field_errors: [inWords(why)] }
  const entries = Object.entries(why ?? {})
  if (
    entries.length === 0 ||
    !entries.every(([, list]) => Array.isArray(list) && list.length > 0)
  ) {
    throw new TypeError("refuse() takes a text, or lists of texts by field: { email: ['…'] }.")
  }
  return Object.fromEntries(entries.map(([field, list]) => [field, faultsInWords(list)]))
}
