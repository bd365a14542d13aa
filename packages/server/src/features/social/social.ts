import type { Identity } from '../../core/identity.ts'
import { SECOND } from '../../kernel/clock.ts'
import { problem, unavailable } from '../../kernel/problems.ts'
import { withDeadline } from '../../kernel/promises.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { SocialAccount, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAddresses } from '../addresses/feature.ts'
import type { LoginAnswer, Visitor } from '../login/gate.ts'
import type { SocialCredentials } from './check-tokens.ts'
import { createLinkAccount, createOwners } from './owners.ts'
import { type ProvenIdentity, proveIdentity, spendIdToken } from './prove-identity.ts'
import type { ProviderClient } from './provider-client.ts'
import {
  findByIdentity,
  hasAccountWithId,
  listAccountsOfUser,
  recordLogin,
  removeAccount,
  renameSubject,
} from './social-queries.ts'

export type Social = ReturnType<typeof createSocial>

type Needs = UpToAddresses & { clients: readonly ProviderClient[] }

/** The time for all calls to a provider in one request. */
const PATIENCE = 10 * SECOND
const RETRY_SECONDS = 5

/** Login, connection and removal of accounts at other providers. */
export function createSocial(house: Needs) {
  const { clients, db, users, everyFeature, gate } = house
  const { mfa, audit, outbox, provedAddress, clock } = house
  const linkAccount = createLinkAccount(house)
  const owners = createOwners({ ...house, linkAccount })

  return {
    clients,

    async logIn(
      client: ProviderClient,
      credentials: SocialCredentials & { invitation?: string | undefined },
      visitor: Visitor,
    ): Promise<LoginAnswer> {
      const identity = await identify(client, credentials)
      const { invitation } = credentials
      const { user, account, awaitsFactor } = await owners.ofIdentity(identity, visitor, invitation)
      const stillTheirs = (tx: Tx) => hasAccountWithId(tx, account.id)
      const linkedAccount = awaitsFactor ? account.id : null
      const proof = { method: 'social', isStrong: false, visitor, stillTheirs } as const
      const answer = await gate.completeLogin(user, { ...proof, linkedAccount })
      await recordLogin(db, account.id, clock.now())
      return answer
    },

    /** Refuses an identity that belongs to another user. */
    async connect(
      signedIn: Identity,
      client: ProviderClient,
      credentials: SocialCredentials,
    ): Promise<SocialAccount> {
      const { user } = signedIn
      provedAddress.mustBeThere(user)
      const identity = await identify(client, credentials)
      return transaction(db, async (tx) => {
        const current = await users.stillSignedIn(signedIn, tx)
        provedAddress.mustBeThere(current)
        const added = await linkAccount(identity, { user: current, isNew: false }, tx)
        const account = added ?? (await findByIdentity(tx, identity))
        if (account?.user_id !== user.id) throw problem('social_account_of_another')
        return account
      })
    },

    list: (user: User): Promise<SocialAccount[]> => listAccountsOfUser(db, user.id),

    disconnect: (signedIn: Identity, id: number): Promise<void> =>
      transaction(db, async (tx) => {
        const { user } = signedIn
        // Locks the user. Otherwise each of two parallel removals would count the other account as
        // the way in that is left.
        const current = await users.stillSignedIn(signedIn, tx)
        const removed = await removeAccount(tx, user.id, id)
        if (!removed) throw problem('not_found')
        if (!(await everyFeature.hasWayIn(current, tx))) throw problem('social_last_way_in')

        await mfa.endChallenges(user.id, 'social', tx)
        const details = { provider: removed.provider }
        const event = 'social_account_disconnected'
        await audit.record({ userId: user.id, event, details }, tx)
        await outbox.notify(current, 'social-account-disconnected', tx)
      }),

    /** Only accounts at a provider that is still configured count. */
    async hasAny(user: User, within: Handle): Promise<boolean> {
      const accounts = await listAccountsOfUser(within, user.id)
      return accounts.some(({ provider, issuer }) =>
        clients.some(
          ({ config: { name, site } }) => name === provider && site.issuers[0] === issuer,
        ),
      )
    },
  }

  async function identify(
    client: ProviderClient,
    credentials: SocialCredentials,
  ): Promise<ProvenIdentity> {
    const proving = proveIdentity(client, credentials, house)
    const identity = await withDeadline(proving, PATIENCE, () => unavailable(RETRY_SECONDS))
    await spendIdToken(identity, credentials.nonce, db)
    await renameFormer(identity)
    return identity
  }

  /** An older version may have stored the account under another subject of the same person. */
  async function renameFormer(identity: ProvenIdentity): Promise<void> {
    const { formerSubject } = identity.profile
    if (!formerSubject) return
    await renameSubject(db, { ...identity, formerSubject }).catch((error) => {
      // The new subject has an account already, perhaps from a parallel request.
      if (!isUniqueViolation(error)) throw error
    })
  }
}
