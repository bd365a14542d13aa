import type { Adoption, Loss, TakeoverPart } from '../../core/takeover.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Tokens } from './tokens.ts'

const OTHER_FORM =
  'its key is not 40 digits of 0 to 9 and a to f, as Django REST framework makes it'

/** The API tokens of Django REST framework. They have the same form as ours. */
export function tokenTakeover(tokens: Tokens): TakeoverPart {
  async function add(adoptions: readonly Adoption[], tx: Tx): Promise<Loss[]> {
    const held = adoptions.flatMap(({ userId, source }) =>
      source.token ? [{ userId, source, token: source.token }] : [],
    )
    const isGood = ({ token }: (typeof held)[number]) => tokens.isKey(token.key)
    const owners = held
      .filter(isGood)
      .map(({ userId, token }) => ({ userId, key: token.key, createdAt: token.createdAt ?? 0 }))
    await tokens.adopt(owners, tx)
    return held
      .filter((one) => !isGood(one))
      .map(({ source }) => ({ source, what: 'API token', why: OTHER_FORM }))
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
