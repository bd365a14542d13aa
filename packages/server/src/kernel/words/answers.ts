import { wordedProblems } from '../problem-table.ts'
import { messages } from './messages.ts'

type Rows = typeof wordedProblems
type WordsOfRows = { readonly [Code in keyof Rows]: Rows[Code]['words'] }

const refusals = Object.fromEntries(
  Object.entries(wordedProblems).map(([code, { words }]) => [code, words]),
) as WordsOfRows

/** What the service says in its answers, by code: why it refuses, or what it has done. */
export const answers = { ...refusals, ...messages }
