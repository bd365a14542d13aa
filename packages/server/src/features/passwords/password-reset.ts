import { createHmac } from 'node:crypto'
import { pkOf } from '../../core/identity.ts'
import { derivedKey, isEqualText } from '../../crypto/digests.ts'
import { isDjangoResetToken } from '../../crypto/django/links.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { pkIn, uidOf } from '../../kernel/ids.ts'
import { nameKey } from '../../kernel/names.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import { unlessUserIsDeleted } from '../../storage/faults.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToDevices } from '../devices/feature.ts'
import type { Context } from '../feature.ts'
import { accountOf, createMailLimits, unmailed } from '../limits/limits.ts'
import type { Letter } from '../mail/outbox.ts'
import { signedAddress } from '../users/proved-address.ts'
import { hashNewPassword, type NewPassword, type PasswordRules } from './password-rules.ts'

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** The values in the link of the mail. */
export type ResetLink = { uid: string; token: string }

type Needs = UpToDevices & { passwordRules: PasswordRules }

type Recipient = TokenOwner & Pick<User, 'uuid' | 'username' | 'email_verified'>

const NOBODY: Recipient = {
  id: 0,
  uuid: null,
  epoch: 0,
  last_login_at: null,
  email: '',
  email_epoch: 0,
  email_verified: 0,
  username: '',
}

/** For users who forgot their password. Access to the mailbox identifies them. */
export function createPasswordReset(needs: Needs) {
  const { db, users, revocation, outbox, audit, removeUnproved, place } = needs
  const { events, limits, failedLogins, settings } = needs
  const mailLimits = createMailLimits(limits, 'reset-mail', settings.ACCOUNT.RATE_LIMITS.reset_mail)
  const resetTokens = createResetTokens({ ...needs, lifetimeMs: settings.PASSWORD_RESET_TIMEOUT })
  const djangoTokens = createDjangoResetTokens(needs)

  return {
    /** Does the same work, whether or not a user has the address. */
    async request(email: string): Promise<void> {
      const user = await users.findByEmail(email)
      const recipient = user?.is_active ? user.email : unmailed(nameKey(email))
      if (!(await mailLimits.mayMail(recipient))) return
      const deliver = user?.is_active ? outbox.post : outbox.pretend
      const letter = { ...letterTo(user ?? NOBODY), userId: user?.id ?? null }
      await deliver(letter, db).catch(unlessUserIsDeleted)
    },

    /** For an operator, who knows that the user exists. Mails beyond the limit are dropped. */
    async send(user: User, tx: Tx): Promise<boolean> {
      if (!(await mailLimits.mayMail(user.email, tx))) return false
      await outbox.post({ ...letterTo(user), userId: user.id }, tx)
      return true
    },

    ownerOf,

    /**
     * Checks the token before the password, so that strangers learn nothing from the password rules.
     * The token came by mail, so it proves the address. A second factor stays: a mailbox alone must
     * not open an account that has one.
     */
    async confirm(link: ResetLink, typed: NewPassword, turn: Turn): Promise<void> {
      const owner = await ownerOf(link)
      const { id } = owner
      const hash = await hashNewPassword(typed, owner, turn, needs)
      await transaction(db, async (tx) => {
        const user = await users.lock(id, tx)
        // Checked again, since the token may have become void in the meantime.
        const isOurs = user && (await isOursFor(user, link.token, tx))
        const changed = user && (await users.changePassword(user, hash, tx))
        if (!changed) throw tokenRefused()
        // Django may have mailed its link to another address of the user.
        const proved = isOurs && (await users.markVerified(id, user.email, tx))
        const current = proved || changed
        await revocation.ofEverything(id, tx)
        // Wrong guesses were about the old password.
        await failedLogins.forgive({ account: accountOf(current) }, tx)
        await outbox.notify(current, 'password-changed', tx)
        await audit.record({ userId: id, event: 'password_reset' }, tx)
        await events.note('passwordChanged', current, { method: 'reset' }, tx)
        await removeUnproved(current, tx)
      })
    },
  }

  /** Refuses a void link, and spends nothing. */
  async function ownerOf({ uid, token }: ResetLink): Promise<User> {
    const pk = pkIn(uid)
    const user = pk === null ? undefined : await users.findByPk(pk)
    if (!user) throw uidRefused()
    await isOursFor(user, token, db)
    return user
  }

  /** Refuses a void token. Returns false if Django mailed it. */
  async function isOursFor(user: User, token: string, within: Handle): Promise<boolean> {
    if (resetTokens.isFor(user, token)) return true
    if (await djangoTokens.isFor(user, token, within)) return false
    throw tokenRefused()
  }

  function letterTo(user: Recipient): Letter {
    // An unproved address may be a stranger's, so the letter must not contain the chosen name.
    const username = user.email_verified ? user.username : ''
    const [uid, token] = [uidOf(pkOf(user)), resetTokens.make(user)]
    const { PASSWORD_RESET_URL: form } = place()
    const link = form.replaceAll('{uid}', uid).replaceAll('{token}', token)
    return { to: user.email, template: 'reset-password', values: { link, uid, token, username } }
  }
}

export const uidRefused = () => fieldProblem({ uid: [fault('invalid_value')] })

export const tokenRefused = () => fieldProblem({ token: [fault('invalid_value')] })

/** If one of these changes, the token is void. */
export type TokenOwner = Pick<User, 'id' | 'epoch' | 'last_login_at' | 'email' | 'email_epoch'>

/** The form of Django's tokens, which front ends match: the time of expiry, then 128 bits in hex. */
const FORM = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/
const SIGNATURE_LENGTH = 32

/**
 * A reset token is not stored. It is a signature over the state of the user: a new password (the
 * epoch grows) or address, a deactivation and a completed login make it void. The password hash is
 * not part of it, since the first half of an MFA login may renew the hash.
 *
 * Former keys are not accepted: a leaked one could sign tokens for every account.
 */
export function createResetTokens({
  secretKey,
  clock,
  lifetimeMs,
}: Pick<Context, 'secretKey' | 'clock'> & { lifetimeMs: number }) {
  const key = derivedKey(secretKey, 'password-reset')

  return {
    make(owner: TokenOwner): string {
      const end = (clock.now() + lifetimeMs).toString(36)
      return `${end}-${sign(owner, end)}`
    },

    isFor(owner: TokenOwner, token: string): boolean {
      const [, end = '', signature = ''] = FORM.exec(token) ?? []
      const leftMs = Number.parseInt(end, 36) - clock.now()
      // No token expires later than one that is made now.
      const isInTime = leftMs > 0 && leftMs <= lifetimeMs
      return isEqualText(signature, sign(owner, end)) && isInTime
    },
  }

  function sign(owner: TokenOwner, end: string): string {
    const { id, epoch, last_login_at } = owner
    const signed = JSON.stringify([id, epoch, last_login_at, signedAddress(owner), end])
    return createHmac('sha256', key).update(signed).digest('hex').slice(0, SIGNATURE_LENGTH)
  }
}

/**
 * The tokens in links that a Django project mailed before its users came here. As in Django, a new
 * password, a login or a change of addresses makes one void.
 */
function createDjangoResetTokens({ djangoOrigins, clock, settings }: UpToDevices) {
  const { DJANGO_SECRET_KEY: key, DJANGO_SECRET_KEY_FALLBACKS: fallbacks } = settings
  const rules = {
    secretKeys: key === null ? [] : [key, ...fallbacks],
    timeZone: settings.DJANGO_TIME_ZONE,
    lifetimeMs: Math.max(settings.DJANGO_PASSWORD_RESET_TIMEOUT, settings.PASSWORD_RESET_TIMEOUT),
  }

  return {
    async isFor(user: User, token: string, within: Handle): Promise<boolean> {
      if (key === null) return false
      const addresses = await djangoOrigins.addressesOf(user, within)
      if (!addresses) return false
      const owner = {
        pk: String(pkOf(user)),
        passwordHash: user.password,
        lastLogin: user.last_login_at,
        email: addresses.email,
        addresses: addresses.all,
      }
      return isDjangoResetToken(token, owner, rules, clock.now())
    },
  }
}
