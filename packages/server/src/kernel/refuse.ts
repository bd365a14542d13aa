import { type Fault, fault, fieldProblem, Problem } from './problems.ts'

/** Words for the whole form, or for single fields. */
export type RefusalWords = string | Readonly<Record<string, readonly string[]>>

/** In documents: nobody knows what the host will say. */
export const EXAMPLE_WORDS = 'Please ask an administrator.'

/** A refusal in the words of the host. */
export class HostRefusal extends Problem {
  readonly words: readonly string[]
  /** Only an object that the constructor has made has it, so a proxy is none. */
  readonly #isGenuine = true

  static is(thrown: unknown): thrown is HostRefusal {
    return typeof thrown === 'object' && thrown !== null && #isGenuine in thrown
  }

  constructor(why: RefusalWords) {
    const faults = faultsOf(why)
    const { status, body, message } = fieldProblem(faults)
    super(status, body, message)
    this.words = Object.values(faults).flatMap((list) => list.map(({ text }) => text))
  }
}

/**
 * Refuses what a hook was asked about: a status of 400 with these words. It throws by itself, so a
 * hook that forgets the `throw` refuses all the same.
 */
export function refuse(why: RefusalWords): never {
  throw new HostRefusal(why)
}

/** A rule of the host has found these things wrong with a field. A hole in the list is no text. */
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
