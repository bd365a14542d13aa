import { type Adoptable, type Brought, marksByUser, type UserLoss } from '../../core/adopt.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/handle.ts'
import { deleteRowsOf } from '../../storage/rows-of-user.ts'
import type { ProviderClient } from './provider-client.ts'
import { addAccountIfFree, hasAccountWithId, listAccountsOf } from './social-queries.ts'

/** An account of the user at a provider. */
type AdoptedAccount = {
  readonly id: number
  readonly provider: string
  readonly subject: string
  readonly createdAt: number | null
  readonly lastLogin: number | null
}

type Adopts = Adoptable<readonly AdoptedAccount[]> & {
  /** Accounts at other providers cannot be adopted. */
  isConfigured(provider: string): boolean
}

export function createAdoptAccounts(clients: readonly ProviderClient[]): Adopts {
  const issuers = new Map(
    clients.map(({ config: { name, site } }) => [name, site.issuers[0]] as const),
  )

  return {
    isConfigured: (provider) => issuers.has(provider),

    async marks(userIds, tx) {
      const accounts = await listAccountsOf(tx, userIds)
      return marksByUser(accounts, ({ provider, subject }) => [provider, subject])
    },

    async put(brought, tx) {
      const userIds = brought.map(({ userId }) => userId)
      await deleteRowsOf(tx, 'social_accounts', userIds)
      const losses: UserLoss[] = []
      for (const one of brought) losses.push(...(await add(one, tx)))
      return losses
    },
  }

  async function add({ userId, given }: Brought<readonly AdoptedAccount[]>, tx: Tx) {
    const losses: UserLoss[] = []
    for (const { id, provider, subject, createdAt, lastLogin } of given) {
      const lose = (why: string) => losses.push({ userId, what: `account at ${provider}`, why })
      const issuer = issuers.get(provider)
      if (issuer === undefined) {
        lose('the provider is not in SOCIALACCOUNT.PROVIDERS')
        continue
      }
      // Clients keep the id. It is free, unless an account was connected here before.
      const isFree = id <= ID_MAX && !(await hasAccountWithId(tx, id))
      const added = await addAccountIfFree(tx, {
        ...(isFree && { id }),
        user_id: userId,
        provider,
        issuer,
        subject,
        created_at: createdAt ?? 0,
        last_login_at: lastLogin ?? 0,
      })
      if (!added) lose('it belongs to another user here')
    }
    return losses
  }
}
