import { type LetterName, english as words } from '../../kernel/words/english.ts'
import type { LetterWords } from './letter-words.ts'

export type { LetterName }

const worded = Object.entries(words.letters).map(([name, { subject, body }]) => [
  name,
  { language: 'en', subject, body: body.join('\n\n') },
])

export const english = Object.fromEntries(worded) as Record<LetterName, LetterWords>
