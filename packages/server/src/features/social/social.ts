import { type Clock, SECOND } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { within } from '../../outbound/within.ts'
import { problem } from '../../problems.ts'
import type { SocialAccount, User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { Gate, LoginAnswer, Visitor } from '../login/gate.ts'
import { hasWayIn } from '../login/ways-in.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import { stillSignedIn } from '../users/still-signed-in.ts'
import type { SocialCredentials } from './credentials.ts'
import type { LinkAccount } from './link-account.ts'
import type { Owners } from './owners.ts'
import { type ProvenIdentity, proveIdentity } from './prove-identity.ts'
import type { ProviderClient } from './provider-client.ts'
import { spendIdToken } from './spend-id-token.ts'

export type Social = ReturnType<typeof createSocial>

type Needs = {
  clients: readonly ProviderClient[]
  stores: Stores
  owners: Owners
  linkAccount: LinkAccount
  gate: Gate
  audit: Audit
  outbox: Outbox
  provedAddress: ProvedAddress
  clock: Clock
  log: Log
}

/** All calls to a provider for one request together. */
const PATIENCE = 10 * SECOND

/** Being somebody here by being somebody elsewhere. */
export function createSocial(needs: Needs) {
  const { clients, stores, owners, linkAccount, gate, audit, outbox, provedAddress, clock, log } =
    needs

  return {
    clients,

    async logIn(
      client: ProviderClient,
      credentials: SocialCredentials,
      visitor: Visitor,
    ): Promise<LoginAnswer> {
      const identity = await identify(client, credentials)
      const { user, account } = await owners.ofIdentity(identity)
      const answer = await gate.completeLogin(user, { method: 'social', isStrong: false, visitor })
      await stores.socialAccounts.recordLogin(account.id, clock.now())
      return answer
    },

    /** An identity that belongs to somebody else stays with him. */
    async connect(
      user: User,
      client: ProviderClient,
      credentials: SocialCredentials,
    ): Promise<SocialAccount> {
      provedAddress.mustBeThere(user)
      const identity = await identify(client, credentials)
      return stores.transaction(async (tx) => {
        provedAddress.mustBeThere(await stillSignedIn(user, tx))
        const added = await linkAccount(identity, { user, isNew: false }, tx)
        const account = added ?? (await tx.socialAccounts.findByIdentity(identity))
        if (account?.user_id !== user.id) throw problem('social_account_of_another')
        return account
      })
    },

    list: (user: User): Promise<SocialAccount[]> => stores.socialAccounts.listOfUser(user.id),

    disconnect: (user: User, id: number): Promise<void> =>
      stores.transaction(async (tx) => {
        // One at a time per user: two at once would each take the other for the way that is left.
        const current = await tx.users.lock(user.id)
        const removed = await tx.socialAccounts.removeOne(user.id, id)
        if (!current || !removed) throw problem('not_found')
        if (!(await hasWayIn(current, tx))) throw problem('social_last_way_in')

        const details = { provider: removed.provider }
        const event = 'social_account_disconnected'
        await audit.record({ userId: user.id, event, details }, tx.audit)
        await outbox.notify(current, 'social-account-disconnected', tx)
      }),
  }

  async function identify(
    client: ProviderClient,
    credentials: SocialCredentials,
  ): Promise<ProvenIdentity> {
    const { spentProofs } = stores
    const proving = proveIdentity(client, credentials, { spentProofs, clock, log })
    const identity = await within(PATIENCE, proving)
    await spendIdToken(identity, credentials.nonce, spentProofs)
    return identity
  }
}
