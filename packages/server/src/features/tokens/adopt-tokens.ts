import type { Adoptable } from '../../core/adopt.ts'
import type { Tokens } from './tokens.ts'

export type AdoptedToken = { readonly key: string; readonly createdAt: number | null }

const OTHER_FORM = 'its key is not 40 characters of 0-9 and a-f'

/** Tokens of another service keep their keys. */
export function createAdoptTokens(tokens: Tokens): Adoptable<AdoptedToken | null> {
  return {
    marks: async (userIds, tx) =>
      new Map((await tokens.digestsOf(userIds, tx)).map((row) => [row.user_id, row.digest])),

    async put(brought, tx) {
      await tokens.revokeAll(
        brought.map(({ userId }) => userId),
        tx,
      )
      const held = brought.flatMap(({ userId, given }) => (given ? [{ userId, ...given }] : []))
      await tokens.adopt(
        held
          .filter(({ key }) => tokens.isKey(key))
          .map(({ createdAt, ...owner }) => ({ ...owner, createdAt: createdAt ?? 0 })),
        tx,
      )
      return held
        .filter(({ key }) => !tokens.isKey(key))
        .map(({ userId }) => ({ userId, what: 'API token', why: OTHER_FORM }))
    },
  }
}
