import type { Mode } from 'latchkey-client'

export type UserField = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'url' | 'list'
  max_length: number
  min: number | null
  max: number | null
  choices: readonly (string | number)[] | null
  required: boolean
  signup: boolean
}

export type Provider = { name: string; title: string; pkce: boolean; nonce: boolean }

/** What the service says about itself, in the page (`features/pages/facts.ts` of the server). */
export type Facts = {
  site: string
  api: string
  pages: string
  modules: readonly string[]
  credential: Mode
  /** How refusals are written (`REST_FRAMEWORK.NON_FIELD_ERRORS_KEY`, `ERRORS_UNDER`). */
  errorNames: { nonFieldErrorsKey: string; errorsUnder?: string }
  loginMethods: readonly ('username' | 'email')[]
  loginByCode: boolean
  signupFields: readonly string[]
  userFields: Readonly<Record<string, UserField>>
  profile: readonly { name: string; source: string; editable: boolean }[]
  asksOldPassword: boolean
  deletion: boolean
  providers: readonly Provider[]
  /** Where to go after the login; checked by the service. */
  next: string | null
  /** What a provider sent the browser back with. */
  callback?: { provider: string; code: string; state: string; error: string }
  words: Readonly<Record<string, string>>
}

/** Null on pages that the service has written and that need no script. */
export const facts = JSON.parse(document.getElementById('facts')?.textContent ?? 'null') as Facts

export const hasModule = (name: string): boolean => facts.modules.includes(name)

export const providerNamed = (name: string): Provider | undefined =>
  facts.providers.find((one) => one.name === name)
