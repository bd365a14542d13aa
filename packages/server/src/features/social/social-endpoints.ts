import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { Time } from '../../core/schemas.ts'
import { type Endpoint, endpoint, forUsers, telling } from '../../http/endpoint.ts'
import { type BodyOf, optional, text } from '../../http/fields.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import { idIn } from '../../http/request.ts'
import { isoTime } from '../../kernel/clock.ts'
import { SECRET_MAX } from '../../kernel/lengths.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import type { SocialAccount } from '../../storage/schema.ts'
import type { UpToAddresses } from '../addresses/feature.ts'
import { signupParts } from '../signup/signup-endpoints.ts'
import type { SocialCredentials } from './check-tokens.ts'
import type { ProviderClient } from './provider-client.ts'
import type { Social } from './social.ts'

const shown = {
  id: Type.Integer(),
  provider: Type.String(),
  uid: Type.String(),
  last_login: Time,
  date_joined: Time,
}

/** A social account in an answer. */
const Account = Type.Object(shown, { $id: 'SocialAccount' })

/** The same in the export of an account. */
export const accountsEntry = ({ list }: Pick<Social, 'list'>): DossierEntry => ({
  name: 'social_accounts',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await list(user)).map(shownAccount),
})

const shownAccount = (account: SocialAccount) => ({
  id: account.id,
  provider: account.provider,
  uid: account.subject,
  last_login: isoTime(account.last_login_at),
  date_joined: isoTime(account.created_at),
})

const SHORT_MAX = 2048

/** Taken exactly as sent, but blanks alone count as nothing. */
const token = optional(
  text({
    max: SECRET_MAX,
    trim: false,
    mayBeBlank: true,
    normalize: (value) => (value.trim() === '' ? '' : value),
  }),
)
const shortText = optional(text({ max: SHORT_MAX, mayBeBlank: true }))

const fields = {
  access_token: token,
  code: token,
  id_token: token,
  redirect_uri: shortText,
  code_verifier: shortText,
  nonce: shortText,
}

const usualFields = ['code', 'redirect_uri', 'code_verifier'] as const

const proofRefusals = [
  'social_input_missing',
  'social_code_refused',
  'social_proof_refused',
] as const

type Needs = UpToAddresses & { social: Social }

/** Each configured provider has paths of its own. */
export const socialLoginEndpoints = (needs: Needs): Endpoint[] =>
  needs.social.clients.flatMap((client) => [
    loginEndpoint(client, needs),
    connectEndpoint(client, needs),
  ])

function loginEndpoint(client: ProviderClient, { social, host, exchange, settings }: Needs) {
  const { name, title, scopes } = client.config
  const parts = signupParts(settings)
  return endpoint({
    method: 'POST',
    path: `${name}/`,
    template: '{provider}/',
    operationId: `socialLogin_${name}`,
    summary: `Log in with ${title}; the front end must ask it for these scopes: ${scopes.join(' ')}`,
    access: 'opens-session',
    throttle: 'auth_service',
    limit: 'social',
    body: { ...fields, ...parts.fields },
    usualFields,
    replies: exchange.replies,
    refusals: [
      ...proofRefusals,
      'social_email_taken',
      'social_signup_closed',
      ...parts.refusals.filter((code) => code !== 'signup_closed'),
      ...parts.addressFaults.map((code) => () => fieldProblem({ email: [fault(code)] })),
      ...exchange.refusals,
      ...(host.registering ? [wordsOfHost] : []),
    ],
    async handle(call) {
      const { invitation } = call.body
      const credentials = { ...credentialsOf(call.body), invitation }
      const answer = await social.logIn(client, credentials, exchange.visitorOf(call))
      return exchange.answer(call.reply, answer)
    },
  })
}

function connectEndpoint(client: ProviderClient, { social }: Needs) {
  const { name, title } = client.config
  return endpoint({
    ...forUsers,
    method: 'POST',
    path: `${name}/connect/`,
    template: '{provider}/connect/',
    operationId: `socialConnect_${name}`,
    summary: `Connect an account at ${title} with the user who is logged in`,
    freshness: 'required',
    limit: 'social',
    body: fields,
    usualFields,
    replies: { 200: Account },
    refusals: [...proofRefusals, 'social_account_of_another', 'verify_email_first'],
    handle: async ({ identity, body }) =>
      shownAccount(await social.connect(identity, client, credentialsOf(body))),
  })
}

const credentialsOf = (body: BodyOf<typeof fields>): SocialCredentials => ({
  accessToken: body.access_token ?? '',
  idToken: body.id_token ?? '',
  code: body.code ?? '',
  redirectUri: body.redirect_uri ?? '',
  codeVerifier: body.code_verifier ?? '',
  nonce: body.nonce ?? '',
})

export function socialAccountsEndpoints(social: Social): Endpoint[] {
  const list = endpoint({
    ...forUsers,
    method: 'GET',
    path: 'socialaccounts/',
    operationId: 'listSocialAccounts',
    summary: 'List the social accounts of the user',
    freshness: 'not-needed',
    replies: { 200: Type.Array(Account) },
    handle: async ({ identity }) => (await social.list(identity.user)).map(shownAccount),
  })

  const disconnect = endpoint({
    ...forUsers,
    method: 'POST',
    path: 'socialaccounts/:id/disconnect/',
    operationId: 'disconnectSocialAccount',
    summary: 'Disconnect a social account, unless it is the last way to log in',
    freshness: 'required',
    replies: { 200: telling('social_disconnected') },
    refusals: ['social_last_way_in'],
    async handle({ identity, params, say }) {
      await social.disconnect(identity, idIn(params))
      return { detail: say('social_disconnected') }
    },
  })

  return [list, disconnect]
}
