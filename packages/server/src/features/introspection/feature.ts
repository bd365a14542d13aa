import * as Type from '@sinclair/typebox'
import { impersonationIn, isFactorDue, scopesIn } from '../../core/identity.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { isEqualText } from '../../crypto/digests.ts'
import { headerIn } from '../../http/authenticate.ts'
import { endpoint, tagged } from '../../http/endpoint.ts'
import { secret } from '../../http/fields.ts'
import type { RequestHead } from '../../http/request.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import { authenticationClasses } from '../../settings/authentication-classes.ts'
import { type Context, feature } from '../feature.ts'
import { answerOperator, impersonatedBy, userDetails } from '../users/answer-user.ts'

/** Tells other services whose credential they received. It needs a key for them. */
export const introspectionFeature = feature(({ settings, everyFeature }) => {
  const { INTROSPECTION_KEY: key } = settings
  const endpoints = key === null ? [] : [introspectEndpoint({ key, everyFeature, settings })]
  return { endpoints: tagged('Tokens', endpoints) }
})

type Needs = Pick<Context, 'everyFeature' | 'settings'> & {
  /** Other services send it to prove who they are. */
  key: string
}

function introspectEndpoint({ key, everyFeature, settings }: Needs) {
  const details = userDetails(settings)
  const accepted = authenticationClasses(settings)

  /** Without the key, anybody could test stolen credentials here. */
  function refuseStrangers(request: RequestHead): void {
    const sent = headerIn(request)
    if (sent?.scheme !== 'bearer' || sent.credentials === '') throw problem('not_authenticated')
    if (!isEqualText(sent.credentials, key)) throw problem('introspection_key_invalid')
  }

  return endpoint({
    method: 'POST',
    path: 'introspect/',
    operationId: 'introspect',
    summary: 'Ask whose token key, access token or session id this is',
    access: 'public',
    // A service asks once for each of its own requests.
    throttle: 'none',
    body: { token: secret() },
    replies: {
      200: Type.Object(
        {
          active: Type.Boolean({ examples: [true] }),
          user: Type.Optional(details.part),
          impersonated_by: Type.Optional(impersonatedBy(settings)),
          scopes: Type.Optional(
            Type.Array(Type.String(), {
              description:
                'What a key of the user may do; missing if the credential may do everything',
              examples: [],
            }),
          ),
          expires_at: Type.Optional(
            orNull(Time, {
              description: 'Null if it is good until it is revoked',
            }),
          ),
        },
        { $id: 'Introspection' },
      ),
    },
    refusals: ['not_authenticated', 'introspection_key_invalid'],
    async handle({ request, body }) {
      refuseStrangers(request)
      const identity = await everyFeature.recognise(body.token)
      // The answer does not say why it is void: the other service could pass that on.
      const isGood = identity && accepted.includes(identity.via) && !isFactorDue(identity)
      if (!isGood) return { active: false }
      const { user, expiresAt } = identity
      const [impersonation, scopes] = [impersonationIn(identity), scopesIn(identity)]
      return {
        active: true,
        user: details.of(user),
        ...(impersonation && { impersonated_by: answerOperator(impersonation) }),
        ...(scopes && { scopes: [...scopes] }),
        expires_at: isoTimeOrNull(expiresAt),
      }
    },
  })
}
