import type { Host } from '../../core/host/host.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { type BodyOf, optional, SECRET_MAX, text } from '../../http/fields.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import { Account, shownAccount } from './answer-account.ts'
import type { SocialCredentials } from './credentials.ts'
import type { ProviderClient } from './provider-client.ts'
import type { Social } from './social.ts'

const URL_MAX = 2048

const token = optional(text({ max: SECRET_MAX, mayBeBlank: true }))
const address = optional(text({ max: URL_MAX, mayBeBlank: true }))

const fields = {
  access_token: token,
  code: token,
  id_token: token,
  redirect_uri: address,
  code_verifier: address,
  nonce: address,
}

const usualFields = ['code', 'redirect_uri', 'code_verifier'] as const

const proofRefusals = [
  'social_input_missing',
  'social_code_refused',
  'social_proof_refused',
] as const

type Needs = { social: Social; host: Host; exchange: LoginExchange }

/** Each configured provider has paths of its own. */
export const socialLoginEndpoints = (needs: Needs): Endpoint[] =>
  needs.social.clients.flatMap((client) => [
    loginEndpoint(client, needs),
    connectEndpoint(client, needs),
  ])

function loginEndpoint(client: ProviderClient, { social, host, exchange }: Needs) {
  const { name, title, scopes } = client.config
  return endpoint({
    method: 'POST',
    path: `${name}/`,
    template: '{provider}/',
    operationId: `socialLogin_${name}`,
    summary: `Log in with ${title}; the front end must ask it for these scopes: ${scopes.join(' ')}`,
    access: 'opens-session',
    throttle: 'auth_service',
    limit: 'social',
    body: fields,
    usualFields,
    replies: exchange.replies,
    refusals: [
      ...proofRefusals,
      'social_email_taken',
      'social_signup_closed',
      ...exchange.refusals,
      ...(host.registering ? [wordsOfHost] : []),
    ],
    async handle(call) {
      const credentials = credentialsOf(call.body)
      const answer = await social.logIn(client, credentials, exchange.visitorOf(call))
      return exchange.answer(call.reply, answer)
    },
  })
}

function connectEndpoint(client: ProviderClient, { social }: Needs) {
  const { name, title } = client.config
  return endpoint({
    method: 'POST',
    path: `${name}/connect/`,
    template: '{provider}/connect/',
    operationId: `socialConnect_${name}`,
    summary: `Connect an account at ${title} with the user who is logged in`,
    access: 'signed-in',
    freshness: 'required',
    throttle: 'auth_service',
    limit: 'social',
    body: fields,
    usualFields,
    replies: { 200: Account },
    refusals: [...proofRefusals, 'social_account_of_another', 'verify_email_first'],
    handle: async ({ identity, body }) =>
      shownAccount(await social.connect(identity.user, client, credentialsOf(body))),
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
