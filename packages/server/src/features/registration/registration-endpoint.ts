import * as Type from '@sinclair/typebox'
import { type Call, type Endpoint, endpoint, saying, telling } from '../../http/endpoint.ts'
import {
  email,
  type Field,
  type Fields,
  language,
  optional,
  password,
  text,
  username,
} from '../../http/fields.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import { userField } from '../../http/user-field.ts'
import { NAME_MAX, PASSWORD_MAX } from '../../kernel/lengths.ts'
import { EXAMPLE_WORDS } from '../../kernel/refuse.ts'
import { isBefore } from '../../settings/kinds/version.ts'
import type { Settings } from '../../settings/settings.ts'
import type { LoginAnswer } from '../login/gate.ts'
import { possiblePasswordFaults } from '../passwords/password-rules.ts'
import type { UpToSignup } from '../signup/feature.ts'
import { signupParts } from '../signup/signup-endpoints.ts'
import type { Values } from '../users/user-values.ts'
import { possibleUsernameFaults } from '../users/usernames.ts'
import type { NoLogin, Registration, SignupForm } from './registration.ts'

type Needs = UpToSignup & { registration: Registration }

/** Without the name of the shared schema: a part of a union must not define it again. */
const Words = Type.Object(saying(EXAMPLE_WORDS).properties)

export function registrationEndpoint(needs: Needs): Endpoint {
  const { registration, signup, host, exchange, settings } = needs
  const { ACCOUNT, REST_AUTH } = settings
  const told = {
    jwtCookies: REST_AUTH.JWT_AUTH_COOKIE_AT_REGISTRATION,
    key: !leavesKeyOut(REST_AUTH),
  }
  const parts = signupParts(settings)
  const extra = extraFields(needs)
  const { waitsForMail, replies, refusals, answer } = signupAnswers(needs)
  const isEmpty = !told.key && !waitsForMail && !host.signingIn

  const wanted = signup.isInvited
    ? ACCOUNT.SIGNUP_FIELDS.map((field) => (field === 'email*' ? 'email' : field))
    : ACCOUNT.SIGNUP_FIELDS

  const made = endpoint({
    method: 'POST',
    path: 'registration/',
    operationId: 'register',
    summary: 'Create an account, and log in unless the address must be confirmed first',
    access: 'opens-session',
    throttle: 'auth_service',
    limit: 'signup',
    captcha: { on: 'registration' },
    body: { ...extra.fields, ...signupFields(wanted), ...parts.fields },
    replies,
    refusals: [...parts.refusals, 'passwords_differ_at_registration', ...refusals],
    faults: {
      ...extra.faults,
      username: possibleUsernameFaults(host),
      email: ['email_taken', ...parts.addressFaults],
      password1: possiblePasswordFaults(host),
    },
    check: ({ body }) => registration.check(body, extra.valuesIn(body)),
    async handle(call) {
      const values = extra.valuesIn(call.body)
      // The start checks that the settings require `password1*`, which the compiler cannot see.
      const form = { ...(call.body as SignupForm), language: extra.languageIn(call.body) }
      return answer(call, await registration.register(form, values, exchange.visitorOf(call)), told)
    },
  })
  return isEmpty ? { ...made, replies: { 204: null } } : made
}

/** What the answer to a login contains. */
type Told = { jwtCookies: boolean; key: boolean }

/** What every registration answers: the login answer, or that a mail was sent. */
export function signupAnswers({ signup, host, exchange, settings }: UpToSignup) {
  const login = exchange.replies[200]
  // An invitation proves its address.
  const waitsForMail = settings.ACCOUNT.EMAIL_VERIFICATION === 'mandatory' && !signup.isInvited
  const loggedIn = host.signingIn
    ? Type.Union([...login.anyOf, Words], { $id: 'RegistrationAnswer' })
    : login
  return {
    waitsForMail,
    replies: waitsForMail ? { 201: telling('verification_sent') } : { 201: loggedIn, 204: null },
    refusals: [
      ...(waitsForMail ? [] : exchange.refusals),
      ...(host.registering ? [wordsOfHost] : []),
    ],
    answer({ reply, say }: Pick<Call, 'reply' | 'say'>, made: LoginAnswer | NoLogin, told?: Told) {
      if ('message' in made) return { detail: say(made.message) }
      return 'detail' in made ? made : exchange.answer(reply, made, told)
    },
  }
}

/** dj-rest-auth 2.2 to 6 answers without a key if the registration starts a session. */
const leavesKeyOut = ({ VERSION, SESSION_LOGIN, USE_JWT }: Settings['REST_AUTH']): boolean =>
  SESSION_LOGIN && !USE_JWT && !isBefore(VERSION, '2.2') && isBefore(VERSION, '7')

/** The fields of the deployment that registration takes, and the language to store for the new user. */
export function extraFields({ languages, settings }: UpToSignup) {
  const { USER_FIELDS } = settings
  // A field of the deployment with this name wins.
  const asksLanguage = languages.isNegotiated && !Object.hasOwn(USER_FIELDS, 'language')
  const wanted = Object.entries(USER_FIELDS).filter(([, { signup }]) => signup)
  const own: Fields = Object.fromEntries(
    wanted.map(([name, field]) => [name, userField(field, { optional: !field.required })]),
  )
  const unique = wanted.filter(([, field]) => field.unique)
  return {
    fields: {
      ...(asksLanguage && { language: optional(language(languages.offered)) }),
      ...own,
    } as Fields,
    languageIn: (body: Record<string, unknown>) =>
      asksLanguage ? (body.language as string | undefined) : undefined,
    valuesIn: (body: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(body).filter(([name]) => Object.hasOwn(own, name)),
      ) as Values,
    faults: Object.fromEntries(unique.map(([name]) => [name, ['not_unique' as const]])),
  }
}

type Wanted = Settings['ACCOUNT']['SIGNUP_FIELDS']
type SignupFields = {
  [Name in Exclude<keyof SignupForm, 'invitation' | 'language'>]-?: Field<SignupForm[Name]>
}

/** It may be left out, but is never blank. */
const newPassword = () => password({ max: PASSWORD_MAX })
const personName = (options: { mayBeBlank?: boolean } = {}) => text({ ...options, max: NAME_MAX })

const MAKE_FIELD = {
  username,
  email,
  password1: newPassword,
  password2: newPassword,
  first_name: personName,
  last_name: personName,
}

/** The fields that the settings list, in that order. Other fields are ignored. */
export function signupFields(wanted: Wanted): SignupFields {
  const fields = wanted.map((field) => {
    const name = field.replace('*', '') as keyof SignupFields
    const make = MAKE_FIELD[name]
    return [name, field.endsWith('*') ? make() : optional(make({ mayBeBlank: true }))]
  })
  return Object.fromEntries(fields)
}
