import * as Type from '@sinclair/typebox'
import { optional, password, text } from '../../http/fields.ts'
import { PASSWORD_MAX } from '../../kernel/lengths.ts'
import { type PlainProblemCode, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import { ApiKeyShown, answerApiKey } from '../keys/api-keys-endpoints.ts'
import { IMPERSONATE } from '../pages/link-endpoints.ts'
import { possiblePasswordFaults } from '../passwords/password-rules.ts'
import { hashOf } from './account-operations.ts'
import { id, pk, REASON_MAX } from './fields-of-operations.ts'
import { listOf, type Needs, operation } from './operation.ts'
import { CHANGE, LOOK, OWN_CHANGE, type Permits, type Ruled } from './rules.ts'

/** A change of a user, whose row the transaction holds. */
type Work = (user: User, permits: Permits, tx: Tx) => Promise<unknown>

type Change = { summary: string; refusals?: readonly PlainProblemCode[]; work: Work }

const LOGIN_ID_MAX = 64

/** Revokes every credential of the user, on every device. */
export const createRevoke =
  ({ revocation }: UpToAccount): Work =>
  async ({ id }, { record }, tx) => {
    await revocation.ofEverything(id, tx)
    await record(id, 'credentials_revoked', tx)
  }

/** What operators do about a user: their logins and factors, and the end of the account. */
export function userOperations(house: Needs) {
  const { users, revocation, mfa, passkeys, devices, apiKeys, passwordReset, gate } = house
  const { answerAccount, findTarget, erase, dossier, events, outbox, host, place, settings } = house
  const revoke = createRevoke(house)

  /** Changes the user, and returns them as they are afterwards. */
  async function changed(permits: Permits, user: User, work: Work) {
    await permits.change(user, (current, tx) => work(current, permits, tx))
    return answerAccount.current(user)
  }

  const at = (verb: string) =>
    ({
      method: 'POST',
      path: `users/:pk/${verb}/`,
      output: answerAccount.schema,
    }) as const

  /** A change of one user that needs no further input. */
  const onUser = (rule: Ruled, verb: string, { work, ...rest }: Change) =>
    operation({
      ...rule,
      ...at(verb),
      ...rest,
      input: { pk: pk() },
      run: async (permits, { pk }) => changed(permits, await findTarget(pk), work),
    })

  return {
    'users.delete': operation({
      ...CHANGE,
      method: 'DELETE',
      path: 'users/:pk/',
      summary: 'Delete a user and all their data',
      input: { pk: pk() },
      output: null,
      async run({ actor, operator, open }, { pk }) {
        const user = await findTarget(pk)
        await erase((tx) => open(user, tx), operator, { force: actor.force === true })
      },
    }),

    /**
     * The API token is kept, but refused until the user is active again. Keys for programs end: they
     * would work again without any login.
     */
    'users.deactivate': onUser(CHANGE, 'deactivate', {
      summary: 'Log a user out everywhere, and refuse further logins',
      async work(user, { keepLast, record }, tx) {
        await keepLast(user, tx)
        await users.setActive(user.id, false, tx)
        await revocation.ofOtherLogins(user.id, null, tx)
        await apiKeys.revokeAll(user.id, tx)
        await record(user.id, 'user_deactivated', tx)
      },
    }),

    'users.activate': onUser(CHANGE, 'activate', {
      summary: 'Allow a user to log in',
      async work({ id }, { record }, tx) {
        await users.setActive(id, true, tx)
        await record(id, 'user_activated', tx)
      },
    }),

    'users.markVerified': onUser(CHANGE, 'mark-verified', {
      summary: 'Treat the address of a user as verified',
      refusals: ['user_without_address'],
      async work(user, { record }, tx) {
        if (user.email === '') throw problem('user_without_address')
        if (user.email_verified) return
        await users.changeEmail(user.id, user.email, true, tx)
        await record(user.id, 'email_verified', tx)
      },
    }),

    /** Removes the app or, of an operator who has none, the passkeys that stand in for it. */
    'users.resetMfa': onUser(CHANGE, 'reset-mfa', {
      summary:
        'Reset the second factor of a user who has lost it: the app with its codes, or an operator’s passkeys',
      async work(user, { operator }, tx) {
        const hadFactor =
          (await mfa.reset(user, operator, tx)) || (await passkeys.reset(user, operator, tx))
        // The user has to log in again everywhere.
        if (hadFactor) await revocation.ofEverything(user.id, tx)
      },
    }),

    'users.sendReset': onUser(OWN_CHANGE, 'send-reset', {
      summary: 'Mail a link with which the user can set a new password',
      refusals: ['user_without_address', 'user_not_active', 'mail_limit_reached'],
      async work(user, { record }, tx) {
        if (user.email === '') throw problem('user_without_address')
        if (!user.is_active) throw problem('user_not_active')
        if (!(await passwordReset.send(user, tx))) throw problem('mail_limit_reached')
        await record(user.id, 'password_reset_sent', tx)
      },
    }),

    'users.setPassword': operation({
      ...CHANGE,
      ...at('set-password'),
      summary: 'Set a new password, and log the user out everywhere',
      input: { pk: pk(), password: password({ max: PASSWORD_MAX }) },
      faults: { password: possiblePasswordFaults(host) },
      async run(permits, { pk, password }) {
        const user = await findTarget(pk)
        const hash = await hashOf(password, permits, user, house)
        return changed(permits, user, async (current, { record }, tx) => {
          await users.replacePassword(user.id, hash, tx)
          await revocation.ofEverything(user.id, tx)
          await record(user.id, 'password_set', tx)
          await outbox.notify(current, 'password-changed', tx)
          await events.note('passwordChanged', current, { method: 'operator' }, tx)
        })
      },
    }),

    'users.endLogins': operation({
      ...OWN_CHANGE,
      ...at('end-logins'),
      summary: 'End one login of a user, or all logins and the token',
      input: { pk: pk(), id: optional(text({ max: LOGIN_ID_MAX })) },
      async run(permits, { pk, id }) {
        const endOne: Work = (user, { operator }, tx) =>
          devices.endOne(user, id ?? '', operator, tx)
        return changed(permits, await findTarget(pk), id === undefined ? revoke : endOne)
      },
    }),

    'users.export': operation({
      ...OWN_CHANGE,
      method: 'GET',
      path: 'users/:pk/export/',
      summary: 'Everything that is stored about a user',
      input: { pk: pk() },
      output: dossier.schema,
      async run({ change, operator }, { pk }) {
        const user = await findTarget(pk)
        // It changes nothing, but asks the rules as a change does.
        await change(user, async () => {})
        return dossier.of(user, operator)
      },
    }),

    'users.apiKeys': operation({
      ...LOOK,
      method: 'GET',
      path: 'users/:pk/tokens/',
      summary: 'The keys that a user made for programs, without their secrets',
      input: { pk: pk() },
      output: listOf(ApiKeyShown),
      run: async (_, { pk }) => ({
        results: (await apiKeys.listOf(await findTarget(pk))).map(answerApiKey),
        next: null,
      }),
    }),

    'users.revokeApiKey': operation({
      ...OWN_CHANGE,
      method: 'DELETE',
      path: 'users/:pk/tokens/:id/',
      summary: 'Revoke a key that a user made for a program',
      input: { pk: pk(), id: id() },
      output: null,
      run: async ({ change, operator }, { pk, id }) =>
        change(await findTarget(pk), (user, tx) => apiKeys.revoke(user, id, operator, tx)),
    }),

    /** Lends the account to a person. Without `ADMIN_IMPERSONATION` it answers 404. */
    'users.impersonate': operation({
      scope: null,
      needs: 'staff',
      changes: true,
      onlyPeople: true,
      onlyOrdinary: true,
      method: 'POST',
      path: 'users/:pk/impersonate/',
      summary: 'Use the account of an ordinary user for 30 minutes; the user gets a mail',
      input: { pk: pk(), reason: text({ max: REASON_MAX }) },
      output: Type.Object({
        access: Type.Optional(
          Type.String({ description: 'An access token of the user, with JSON Web Tokens' }),
        ),
        url: Type.Optional(
          Type.String({ description: 'A link that starts a session once, within 60 seconds' }),
        ),
      }),
      refusals: ['not_impersonable'],
      async run({ actor, open }, input) {
        if (!settings.ADMIN_IMPERSONATION) throw problem('not_found')
        const user = await findTarget(input.pk)
        const operator = actor.id === undefined ? undefined : await users.findById(actor.id)
        if (!operator) throw problem('not_allowed')
        const { reason = '', address = null } = actor
        const by = { operator, reason, address, open: (tx: Tx) => open(user, tx) }
        const { access, key } = await gate.impersonate(user, by)
        const url = `${settings.PUBLIC_URL}${place().PAGES_PREFIX}${IMPERSONATE}${key}`
        return { ...(access !== null && { access }), ...(key !== null && { url }) }
      },
    }),
  }
}
