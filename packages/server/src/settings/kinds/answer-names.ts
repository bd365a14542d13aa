import { list, record } from '../../kernel/setting-kinds/compounds.ts'
import type { Kind } from '../../kernel/setting-kinds/kind.ts'
import { matching } from '../../kernel/setting-kinds/scalars.ts'

const names: Kind<readonly string[], string | readonly string[]> = list(
  matching('a name of letters, digits, - and _', /^[a-z][\w-]{0,63}$/i),
  { least: 1 },
)

/** The values of login answers that can be renamed. */
const ANSWERED = {
  key: names,
  access: names,
  refresh: names,
  access_expiration: names,
  refresh_expiration: names,
  user: names,
}

/** The names under which a value is sent, by its usual name. */
export type AnswerRenames = { readonly [name in keyof typeof ANSWERED]?: readonly string[] }

/** Login answers already use these names for other values. */
const TAKEN = ['ephemeral_token', 'mfa_required', 'detail']

// Other values keep their names.
export const answerNames = record(ANSWERED, (given): AnswerRenames => given)

export const answerNamesOf = (given: AnswerRenames, name: string): readonly string[] =>
  (Object.hasOwn(given, name) && given[name as keyof AnswerRenames]) || [name]

/** Whether two values would be sent under one name. */
export function namesClash(given: AnswerRenames): boolean {
  const all = [...Object.keys(ANSWERED).flatMap((name) => answerNamesOf(given, name)), ...TAKEN]
  return new Set(all).size < all.length
}
