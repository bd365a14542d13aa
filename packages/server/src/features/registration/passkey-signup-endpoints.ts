import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { email, json, optional, sessionId, username } from '../../http/fields.ts'
import { fieldProblem } from '../../kernel/problems.ts'
import { newPasskeyRefusals, passkeyName, SignupOptions } from '../passkeys/passkeys-endpoints.ts'
import type { UpToSignup } from '../signup/feature.ts'
import { signupParts } from '../signup/signup-endpoints.ts'
import { notUnique } from '../users/user-fields.ts'
import { possibleUsernameFaults } from '../users/usernames.ts'
import { emailTaken } from '../users/users.ts'
import type { Registration, SignupForm } from './registration.ts'
import { extraFields, signupAnswers, signupFields } from './registration-endpoint.ts'

type Needs = UpToSignup & { registration: Registration }

/** An account whose first credential is a passkey. It has no password. */
export function passkeySignupEndpoints(needs: Needs): Endpoint[] {
  const { registration, signup, host, exchange, settings } = needs
  const parts = signupParts(settings)
  const extra = extraFields(needs)
  const { replies, refusals, answer } = signupAnswers(needs)
  const names = settings.ACCOUNT.SIGNUP_FIELDS.filter((name) => /^(first|last)_name/.test(name))

  const begin = endpoint({
    method: 'POST',
    path: 'passkeys/signup/begin/',
    operationId: 'beginPasskeySignup',
    summary:
      'Get the options for `navigator.credentials.create()`, for somebody without an account',
    access: 'public',
    throttle: 'auth_service',
    limit: 'passkey_begin',
    captcha: { on: 'registration' },
    body: {
      ...extra.fields,
      ...signupFields(names),
      username: optional(username({ mayBeBlank: true })),
      // Without a password, a proved address is the only way back in.
      email: signup.isInvited ? optional(email({ mayBeBlank: true })) : email(),
      ...parts.fields,
    },
    usualFields: ['username', 'email'],
    replies: { 200: SignupOptions },
    refusals: [...parts.admission, 'passkeys_not_configured', 'body_too_large'],
    faults: { email: parts.addressFaults },
    async check({ body }) {
      const invited = await signup.admit(body.invitation)
      return body.email === undefined && !invited ? {} : signup.check(body.email ?? '', invited)
    },
    handle({ body }) {
      const form = { ...formIn(body), language: extra.languageIn(body) }
      return registration.beginWithPasskey(form, extra.valuesIn(body))
    },
  })

  const complete = endpoint({
    method: 'POST',
    path: 'passkeys/signup/complete/',
    operationId: 'completePasskeySignup',
    summary: 'Create the account, with the passkey that the browser made and without a password',
    access: 'opens-session',
    throttle: 'auth_service',
    limit: 'signup',
    body: { credential: json(), session_id: sessionId(), name: optional(passkeyName) },
    replies,
    refusals: [
      ...newPasskeyRefusals,
      ...parts.refusals.filter((code) => code !== 'invitation_required'),
      ...possibleUsernameFaults(host).map((one) => () => fieldProblem({ username: [one] })),
      emailTaken,
      ...notUnique(Object.keys(extra.faults)),
      ...refusals,
    ],
    handle: async (call) =>
      answer(call, await registration.completeWithPasskey(call.body, exchange.visitorOf(call))),
  })

  return [begin, complete]
}

type Form = Omit<SignupForm, 'password1'>

/** The fields of the deployment are not among them. */
const formIn = ({ username, email, first_name, last_name, invitation }: Form): Form => ({
  username,
  email,
  first_name,
  last_name,
  invitation,
})
