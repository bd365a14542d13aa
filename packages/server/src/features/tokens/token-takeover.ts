import type { Adoption, TakeoverPart } from '../../core/takeover.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Tokens } from './tokens.ts'

/** The API tokens of Django REST framework. They have the same form as ours. */
export function tokenTakeover(tokens: Tokens): TakeoverPart {
  async function add(adoptions: readonly Adoption[], tx: Tx) {
    const owners = adoptions.flatMap(({ userId, source: { token } }) =>
      token ? [{ userId, key: token.key, createdAt: token.createdAt ?? 0 }] : [],
    )
    await tokens.adopt(owners, tx)
    return []
  }

  return {
    name: 'token',
    of: ({ token }) => token?.key ?? null,
    marks: async (userIds, tx) =>
      new Map((await tokens.digestsOf(userIds, tx)).map((row) => [row.user_id, row.digest])),
    add,
    async replace(adoption, tx) {
      await tokens.revoke(adoption.userId, tx)
      return add([adoption], tx)
    },
  }
}
