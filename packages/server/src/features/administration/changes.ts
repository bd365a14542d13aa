import { Problem, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import { accountChanges } from './account-changes.ts'
import type { Actor } from './actor.ts'
import { CHANGE, IMPERSONATION, OWN_CHANGE, permitsOf } from './permits.ts'

const BATCH = 100

/** A user can be deleted while others are changed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Problem && error.message === 'not_found')) throw error
}

/**
 * The changes that an actor can make. Each asks the rules while it holds the row of the user, and
 * leaves an audit row that says who made it, from where and why.
 */
export function changesBy(actor: Actor, house: UpToAccount) {
  const { events, users, revocation, mfa, passkeys, devices, apiKeys } = house
  const { erase, dossier, hasher, passwordReset, gate, outbox } = house
  const permits = permitsOf(actor, house)
  const { operator, change, open, permit, keepLast, record } = permits

  const revoke = (user: User) =>
    change(OWN_CHANGE, user, async ({ id }, tx) => {
      await revocation.ofEverything(id, tx)
      await record(id, 'credentials_revoked', tx)
    })

  return {
    ...accountChanges(permits, house),

    sendReset: (user: User): Promise<void> =>
      change(OWN_CHANGE, user, async (current, tx) => {
        if (current.email === '') throw problem('user_without_address')
        if (!current.is_active) throw problem('user_not_active')
        if (!(await passwordReset.send(current, tx))) throw problem('mail_limit_reached')
        await record(user.id, 'password_reset_sent', tx)
      }),

    activate: (user: User) =>
      change(CHANGE, user, async ({ id }, tx) => {
        await users.setActive(id, true, tx)
        await record(id, 'user_activated', tx)
      }),

    /**
     * The API token is kept, but refused until the user is active again. Keys for programs end: they
     * would work again without any login.
     */
    deactivate: (user: User) =>
      change(CHANGE, user, async (current, tx) => {
        await keepLast(current, tx)
        await users.setActive(user.id, false, tx)
        await revocation.ofOtherLogins(user.id, null, tx)
        await apiKeys.revokeAll(user.id, tx)
        await record(user.id, 'user_deactivated', tx)
      }),

    async setPassword(user: User, password: string): Promise<void> {
      const hash = await hasher.hash(password)
      await change(CHANGE, user, async (current, tx) => {
        await users.replacePassword(user.id, hash, tx)
        await revocation.ofEverything(user.id, tx)
        await record(user.id, 'password_set', tx)
        await outbox.notify(current, 'password-changed', tx)
        await events.note('passwordChanged', current, { method: 'operator' }, tx)
      })
    },

    /** Revokes every credential of the user, on every device. */
    revoke,

    /**
     * Revokes all users, each in their own transaction. So each one is short, even with a distant
     * database, and no login waits for the whole run. Returns how many there were.
     */
    async revokeAll(note: (done: number) => void): Promise<number> {
      let done = 0
      for await (const page of users.pages(BATCH)) {
        for (const user of page) await revoke(user).catch(unlessGone)
        done += page.length
        note(done)
      }
      return done
    },

    /** Ends one login, or the API token. Returns whether the user had it. */
    endLogin: (user: User, id: string): Promise<boolean> =>
      change(OWN_CHANGE, user, (_, tx) => devices.endOne(user, id, operator, tx)),

    /** Revokes a key that the user made for a program. */
    revokeApiKey: (user: User, id: number): Promise<void> =>
      change(OWN_CHANGE, user, (_, tx) => apiKeys.revoke(user, id, operator, tx)),

    /**
     * Removes the app or, of an operator who has none, the passkeys that stand in for it. Returns
     * whether there was one. The user has to log in again everywhere.
     */
    resetMfa: (user: User): Promise<boolean> =>
      change(CHANGE, user, async (current, tx) => {
        const hadFactor =
          (await mfa.reset(current, operator, tx)) || (await passkeys.reset(current, operator, tx))
        if (hadFactor) await revocation.ofEverything(user.id, tx)
        return hadFactor
      }),

    /** Lends the account to the actor, who must be a person. */
    async impersonate(user: User) {
      const person = actor.id === undefined ? undefined : await users.findById(actor.id)
      if (!person) throw problem('not_allowed')
      const { reason = '', address = null } = actor
      const rules = (tx: Tx) => open(user, tx, IMPERSONATION)
      return gate.impersonate(user, { operator: person, reason, address, open: rules })
    },

    /** Everything that is stored about the user. */
    async export(user: User) {
      // Changes nothing, but asks the rules as a change does.
      await change(OWN_CHANGE, user, async () => {})
      return dossier.of(user, operator)
    },

    /** Returns false if the user is gone already. */
    remove: ({ id }: User): Promise<boolean> =>
      erase(
        async (tx) => {
          const user = await users.lock(id, tx)
          if (user) await permit(CHANGE, { user }, tx)
          return user
        },
        operator,
        { force: actor.force === true },
      ),
  }
}
