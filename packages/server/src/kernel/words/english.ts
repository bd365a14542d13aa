import type { LetterName } from '../letter-names.ts'
import { admin } from './admin.ts'
import { answers, attributes, type messages } from './answers.ts'
import { letters } from './letters.ts'
import { pages } from './pages.ts'
import type { LetterText, Texts } from './text.ts'

/** What the service says after it has done something. */
export type MessageKey = keyof typeof messages
export type PageKey = keyof typeof pages
export type AdminKey = keyof typeof admin
export type Attribute = keyof typeof attributes

/** All words of one language. The files in `packages/server/words` have this form, too. */
export type Words = {
  readonly answers: Texts<keyof typeof answers>
  readonly attributes: Readonly<Record<Attribute, string>>
  readonly letters: Readonly<Record<LetterName, LetterText>>
  readonly pages: Texts<PageKey>
  readonly admin: Texts<AdminKey>
}

/** The source of all words, from which every other language is translated. */
export const english = { answers, attributes, letters, pages, admin } satisfies Words

export type Language = { readonly code: string; readonly words: Words }

export const ENGLISH: Language = { code: 'en', words: english }
