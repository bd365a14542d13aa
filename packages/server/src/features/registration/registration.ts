import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import { type Fault, fault, fieldProblem, problem } from '../../kernel/problems.ts'
import { HostRefusal } from '../../kernel/refuse.ts'
import type { MessageKey } from '../../kernel/words/english.ts'
import { unlessUserIsDeleted } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Invitation, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { createMailLimits } from '../limits/limits.ts'
import type { LoginAnswer, Visitor } from '../login/gate.ts'
import type { UpToSignup } from '../signup/feature.ts'
import type { Values } from '../users/user-values.ts'
import type { Verification } from './verification.ts'

export type Registration = ReturnType<typeof createRegistration>

/** The form. `SIGNUP_FIELDS` says which fields it has. */
export type SignupForm = {
  username?: string | undefined
  email?: string | undefined
  password1: string
  password2?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  invitation?: string | undefined
  language?: string | undefined
}

/** Who registers, and with which first credential. */
type Newcomer = {
  invited: Invitation | null
  visitor: Visitor
  first: {
    /** The hash of the password, or an unusable one. */
    hash(): Promise<string>
    /** True if it counts as two factors. */
    isStrong: boolean
    /** Adds a passkey, in the transaction that adds the user. */
    add?(user: User, tx: Tx): Promise<void>
  }
}

/** What is kept until the passkey is made. Of the invitation, only the digest of its key. */
type KeptForm = {
  given: Omit<SignupForm, 'password1' | 'invitation'>
  values: Values
  invitation: string | null
}

/** What the browser made. */
type NewPasskey = { credential: unknown; session_id: string; name?: string | undefined }

/** The answer to a registration without a login. */
export type NoLogin = { message: MessageKey } | { detail: string }

export function createRegistration(house: UpToSignup & { verification: Verification }) {
  const { db, users, userFields, usernameRules, passwordRules, hasher, signup } = house
  const { outbox, limits, events, verification, passkeys, gate } = house
  const { registering } = house.host
  const { EMAIL_VERIFICATION, RATE_LIMITS } = house.settings.ACCOUNT
  /** Limits letters to the owner of an address that somebody else tries to register. */
  const warningLimits = createMailLimits(limits, 'registered-mail', RATE_LIMITS.verify_mail)

  return {
    /**
     * Returns the faults of the fields. The owner of a taken address is told by mail. Visitors who
     * may not register are refused first, and learn nothing about any field.
     */
    async check(given: Partial<SignupForm>, values: Values) {
      return faultsOf(given, values, await signup.admit(given.invitation))
    },

    async register(
      given: SignupForm,
      values: Values,
      visitor: Visitor,
    ): Promise<LoginAnswer | NoLogin> {
      const { password1, password2 = password1 } = given
      if (password1 !== password2) throw problem('passwords_differ_at_registration')
      const invited = await signup.admit(given.invitation)
      const first = { hash: () => hasher.hash(password1, visitor.turn), isStrong: false }
      return enrol(given, values, { invited, visitor, first })
    },

    /** Keeps the form until the passkey is made. Does not tell which names and addresses are taken. */
    async beginWithPasskey(
      { invitation, ...given }: Omit<SignupForm, 'password1'>,
      values: Values,
    ) {
      const invited = await signup.admit(invitation)
      const { username, email } = detailsOf(given, invited)
      const form: KeptForm = { given, values, invitation: invited?.digest ?? null }
      return passkeys.beginSignup(username || nameKey(email), form)
    },

    /** Opens an account without a password. Its passkey is unproved until its address is proved. */
    async completeWithPasskey({ credential, session_id, name }: NewPasskey, visitor: Visitor) {
      const made = await passkeys.completeSignup(credential, session_id, name)
      const { form, isStrong, add } = made
      const { given, values, invitation } = form as KeptForm
      const invited = await signup.readmit(invitation)
      const faults = await faultsOf(given, values, invited)
      if (Object.keys(faults).length > 0) throw fieldProblem(faults)
      const first = { hash: async () => unusablePassword(), isStrong, add }
      return enrol(given, values, { invited, visitor, first })
    },
  }

  async function faultsOf(
    given: Partial<SignupForm>,
    values: Values,
    invited: Invitation | null,
  ): Promise<Record<string, Fault[]>> {
    const unusable = signup.check(given.email ?? '', invited).email ?? []
    const details = detailsOf(given, invited)
    const { username, email } = details
    const { password1 } = given
    const weak = password1 === undefined ? [] : await passwordRules(password1, details)
    const namesake = username === '' ? undefined : await users.holderOf(username)
    const unwanted = username === '' ? [] : await usernameRules.faultsOf(username, details)
    const owner = unusable.length === 0 ? await users.findByEmail(email) : undefined
    if (owner) await warn(owner)
    return withoutEmpty({
      username: namesake ? [fault('username_taken'), ...unwanted] : unwanted,
      email: owner ? [fault('email_taken')] : unusable,
      password1: weak,
      ...(await userFields.check(values, null, db)),
    })
  }

  /** Adds the user, and logs them in unless they have to prove their address first. */
  async function enrol(
    given: Omit<SignupForm, 'password1'>,
    values: Values,
    { invited, visitor, first }: Newcomer,
  ): Promise<LoginAnswer | NoLogin> {
    const { address } = visitor.device
    const { username, ...details } = detailsOf(given, invited)
    const language = given.language ?? visitor.language ?? null
    // As they will be stored. Otherwise a hook could be evaded by another spelling.
    const spelled = { username: normalizeUsername(username), email: nameKey(details.email) }
    const fields = { ...values, ...details, ...spelled }
    await registering?.({ fields, method: 'registration', address })
    const wishes = username ? [] : await usernameRules.goodWishes([fields.email], fields)
    const password = await first.hash()
    // An invitation proves its address.
    const verified = invited !== null
    const account = { ...details, password, verified, active: true, language }
    const user = await transaction(db, async (tx) => {
      // Of parallel registrations of a name or address exactly one succeeds here.
      const add = () =>
        username
          ? users.add({ ...account, username }, tx)
          : users.addUnderFreeName(wishes, account, tx)
      const added = await signup.enrol(invited, values, add, tx)
      await first.add?.(added, tx)
      if (added.email !== '' && !verified && EMAIL_VERIFICATION !== 'none') {
        await verification.send(added, tx)
      }
      await events.note('registered', added, { method: 'registration' }, tx)
      return added
    })
    if (EMAIL_VERIFICATION === 'mandatory' && !invited) return { message: 'verification_sent' }
    const proof = { method: 'registration', isStrong: first.isStrong, visitor } as const
    return gate.completeLogin(user, proof).catch(withoutLogin)
  }

  async function warn({ id, email, is_active }: User): Promise<void> {
    if (!is_active || EMAIL_VERIFICATION === 'none') return
    if (!(await warningLimits.mayMail(nameKey(email)))) return
    const letter = { to: email, userId: id, template: 'already-registered', values: {} } as const
    await outbox.post(letter, db).catch(unlessUserIsDeleted)
  }
}

/**
 * The host lets the visitor register, but not log in. The account exists, so the answer is not an
 * error: after one, the visitor would register again and learn that the name is taken.
 */
function withoutLogin(error: unknown): NoLogin {
  if (error instanceof HostRefusal) return { detail: error.words.join(' ') }
  throw error
}

/** An invited user gets the address to which the invitation was mailed. */
function detailsOf(form: Partial<SignupForm>, invited: Invitation | null) {
  const { username = '', email = '', first_name = '', last_name = '' } = form
  return { username, email: invited?.email_key ?? email, first_name, last_name }
}

function withoutEmpty(faults: Record<string, Fault[]>): Record<string, Fault[]> {
  return Object.fromEntries(Object.entries(faults).filter(([, list]) => list.length > 0))
}
