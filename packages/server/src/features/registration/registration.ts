import type { Registering } from '../../core/hooks.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import { HostRefusal } from '../../kernel/refuse.ts'
import type { MessageKey } from '../../kernel/words/english.ts'
import { unlessUserIsDeleted } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Invitation, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { MailLimits } from '../limits/limits.ts'
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

/** The form with the hash of the password and, if it has no username, wishes for one. */
type NewAccount = Omit<SignupForm, 'language'> & {
  language: string | null
  password: string
  wishes: readonly string[]
  verified: boolean
}

/** The answer to a registration without a login. */
export type NoLogin = { message: MessageKey } | { detail: string }

type Needs = UpToSignup & {
  /** Limits letters to the owner of an address that somebody else tries to register. */
  mailLimits: MailLimits
  verification: Verification
}

export function createRegistration(house: Needs) {
  const { db, users, userFields, usernameRules, passwordRules, hasher, signup } = house
  const { outbox, mailLimits, events, verification, gate } = house
  const { registering } = house.host
  const { EMAIL_VERIFICATION } = house.settings.ACCOUNT

  return {
    /**
     * Returns the faults of the fields. The owner of a taken address is told by mail. Visitors who
     * may not register are refused first, and learn nothing about any field.
     */
    async check(given: Partial<SignupForm>, values: Values) {
      const invited = await signup.admit(given.invitation)
      const unusable = signup.checkNew(given.email ?? '', invited).email ?? []
      const form = withAddress(given, invited)
      const { username = '', email = '', password1, first_name = '', last_name = '' } = form
      const details = { username, email, first_name, last_name }
      const weak = password1 === undefined ? [] : await passwordRules(password1, details)
      const namesake = username === '' ? undefined : await users.holderOf(username)
      const unwanted = username === '' ? [] : await usernameRules.faultsOf(username, details)
      const isLookedUp = email !== '' && unusable.length === 0
      const owner = isLookedUp ? await users.findByEmail(email) : undefined
      if (owner) await warn(owner)
      return withoutEmpty({
        username: namesake ? [fault('username_taken'), ...unwanted] : unwanted,
        email: owner ? [fault('email_taken')] : unusable,
        password1: weak,
        ...(await userFields.check(userFields.uniqueIn(values, null), values, null, db)),
      })
    },

    async register(
      given: SignupForm,
      values: Values,
      visitor: Visitor,
    ): Promise<LoginAnswer | NoLogin> {
      const { password1, password2 = password1 } = given
      if (password1 !== password2) throw problem('passwords_differ_at_registration')
      const { address } = visitor.device
      const invited = await signup.admit(given.invitation)
      const form = withAddress(given, invited)
      const fields = fieldsOf(form, values)
      await registering?.({ fields, method: 'registration', address })
      const wishes = form.username ? [] : await usernameRules.goodWishes([fields.email], fields)
      const turn = { client: visitor.address, gone: visitor.gone }
      const password = await hasher.hash(password1, turn)
      const user = await transaction(db, async (tx) => {
        const accepted = await signup.accept(invited, tx)
        const verified = accepted !== null
        const language = form.language ?? visitor.language ?? null
        const user = await add({ ...form, language, password, wishes, verified }, tx)
        const added = await signup.equip(user, values, accepted, tx)
        if (added.email !== '' && !verified && EMAIL_VERIFICATION !== 'none') {
          await verification.send(added, tx)
        }
        await events.note('registered', added, { method: 'registration' }, tx)
        return added
      })
      if (EMAIL_VERIFICATION === 'mandatory' && !invited) return { message: 'verification_sent' }
      const proof = { method: 'registration', isStrong: false, visitor } as const
      return gate.completeLogin(user, proof).catch(withoutLogin)
    },
  }

  /** Of parallel registrations of a name or address exactly one succeeds here. */
  function add({ password, wishes, verified, ...form }: NewAccount, tx: Tx): Promise<User> {
    const { username, email = '', first_name = '', last_name = '', language } = form
    const names = { first_name, last_name, language }
    const account = { email, password, verified, active: true, ...names }
    if (username) return users.add({ ...account, username }, tx)
    return users.addUnderFreeName(wishes, account, tx)
  }

  async function warn({ id, email, is_active }: User): Promise<void> {
    if (!is_active || EMAIL_VERIFICATION === 'none') return
    if (!(await mailLimits.mayMail(nameKey(email)))) return
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
const withAddress = <Form extends Partial<SignupForm>>(form: Form, invited: Invitation | null) =>
  invited ? { ...form, email: invited.email_key } : form

/** As they will be stored. Otherwise a hook could be evaded by another spelling. */
function fieldsOf(form: SignupForm, values: Values): Registering['fields'] {
  const { username = '', email = '', first_name = '', last_name = '' } = form
  return {
    ...values,
    username: normalizeUsername(username),
    email: nameKey(email),
    first_name,
    last_name,
  }
}

function withoutEmpty(faults: Record<string, Fault[]>): Record<string, Fault[]> {
  return Object.fromEntries(Object.entries(faults).filter(([, list]) => list.length > 0))
}
