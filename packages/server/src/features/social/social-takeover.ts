import type { Adoption, Loss, TakeoverPart } from '../../core/takeover.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/handle.ts'
import type { ProviderClient } from './provider-client.ts'
import {
  addAccountIfFree,
  findAccount,
  listAccountsOf,
  removeAccountsOfUser,
} from './social-accounts-queries.ts'

/** Identities at providers. Those of a provider that is not configured here stay behind. */
export function socialTakeover(clients: readonly ProviderClient[]): TakeoverPart {
  const issuers = new Map(
    clients.map(({ config: { name, site } }) => [name, site.issuers[0]] as const),
  )

  return {
    name: 'social',
    of: ({ socialAccounts }) =>
      socialAccounts.length === 0
        ? null
        : socialAccounts.map(({ provider, uid }) => [provider, uid, issuers.has(provider)]),
    async marks(userIds, tx) {
      const marks = new Map<number, unknown[]>()
      for (const { user_id, provider, subject } of await listAccountsOf(tx, userIds)) {
        marks.set(user_id, [...(marks.get(user_id) ?? []), [provider, subject]])
      }
      return marks
    },
    async add(adoptions, tx) {
      const losses: Loss[] = []
      for (const adoption of adoptions) losses.push(...(await adopt(adoption, tx)))
      return losses
    },
    async replace(adoption, tx) {
      await removeAccountsOfUser(tx, adoption.userId)
      return adopt(adoption, tx)
    },
  }

  async function adopt({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
    const losses: Loss[] = []
    for (const { id, provider, uid, joinedAt, lastLogin } of source.socialAccounts) {
      const lose = (why: string) => losses.push({ source, what: `account at ${provider}`, why })
      const issuer = issuers.get(provider)
      if (issuer === undefined) {
        lose('the provider is not in SOCIALACCOUNT.PROVIDERS')
        continue
      }
      // Clients keep the id. It is free, unless an account was connected here before.
      const isTaken = id > ID_MAX || (await findAccount(tx, id)) !== undefined
      const added = await addAccountIfFree(tx, {
        ...(!isTaken && { id }),
        user_id: userId,
        provider,
        issuer,
        subject: uid,
        created_at: joinedAt ?? 0,
        last_login_at: lastLogin ?? 0,
      })
      if (!added) lose('the identity belongs to another user here')
    }
    return losses
  }
}
