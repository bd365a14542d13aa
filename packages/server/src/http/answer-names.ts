import type { TProperties, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { type AnswerRenames, answerNamesOf } from '../settings/kinds/answer-names.ts'
import { orNothing, secret } from './fields.ts'
import { exampleOf } from './openapi-examples.ts'

/** The names of values in login answers, which `REST_AUTH.ANSWER_NAMES` can change. */
export function createAnswerNames(given: AnswerRenames) {
  // `refresh` is always accepted, as in simplejwt, even if login answers use another name.
  const refreshNames = [...new Set([...answerNamesOf(given, 'refresh'), 'refresh'])]

  return {
    renamed,

    /** Examples are found by the usual name of a value, so a renamed value needs its own. */
    schemaOf(properties: TProperties, options = {}) {
      const described = Object.entries(properties).map(([name, schema]): [string, TSchema] => [
        name,
        name in given ? { ...schema, examples: [exampleOf(schema, name)] } : schema,
      ])
      return Type.Object(renamed(Object.fromEntries(described)), options)
    },

    refreshFields: Object.fromEntries(refreshNames.map((name) => [name, orNothing(secret())])),

    /** The refresh token of a request: the first one that was sent. */
    refreshIn: (body: Readonly<Record<string, string | undefined>>): string | undefined =>
      refreshNames.map((name) => body[name]).find((token) => token !== undefined),
  }

  function renamed<T>(values: Readonly<Record<string, T>>): Record<string, T> {
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        answerNamesOf(given, name).map((shown): [string, T] => [shown, value]),
      ),
    )
  }
}
