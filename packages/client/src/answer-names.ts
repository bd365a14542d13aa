/** The name of each value in login answers, if the deployment has changed it. */
export type AnswerNames = Partial<
  Record<'key' | 'access' | 'refresh' | 'access_expiration' | 'refresh_expiration' | 'user', string>
>

type Answer = Record<string, unknown>

/**
 * The answer with the usual names. A value may have one already: dj-rest-auth renames those of a
 * login, but not those of a refresh.
 */
export function withUsualNames(answer: unknown, names: AnswerNames): Answer {
  const given: Answer = Object(answer)
  const renamed = Object.entries(names).map(([name, sent]) => [name, given[sent] ?? given[name]])
  return { ...given, ...Object.fromEntries(renamed) }
}
