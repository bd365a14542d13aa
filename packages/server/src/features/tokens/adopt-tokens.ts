import type { Adoptable } from '../../core/adopt.ts'
import type { Tokens } from './tokens.ts'
import { listTokensOf, removeTokensOf } from './tokens-queries.ts'

type AdoptedToken = { readonly key: string; readonly createdAt: number | null }

const OTHER_FORM = 'its key is not 40 characters of 0-9 and a-f'

/** Tokens of another service keep their keys. */
export function createAdoptTokens({ isKey, adopt }: Tokens): Adoptable<AdoptedToken | null> {
  return {
    marks: async (userIds, tx) =>
      new Map((await listTokensOf(tx, userIds)).map((row) => [row.user_id, row.digest])),

    async put(brought, tx) {
      const userIds = brought.map(({ userId }) => userId)
      await removeTokensOf(tx, userIds)
      const held = brought.flatMap(({ userId, given }) => (given ? [{ userId, ...given }] : []))
      const fitting = held.filter(({ key }) => isKey(key))
      await adopt(fitting, tx)
      const others = held.filter(({ key }) => !isKey(key))
      return others.map(({ userId }) => ({ userId, what: 'API token', why: OTHER_FORM }))
    },
  }
}
