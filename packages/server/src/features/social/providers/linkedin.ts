import { introspection, type Provider, standard } from './provider.ts'

export const linkedin: Provider = {
  id: 'linkedin',
  title: 'LinkedIn',
  ...standard,
  site: {
    issuers: ['https://www.linkedin.com/oauth'],
    endpoints: {
      authorize: 'https://www.linkedin.com/oauth/v2/authorization',
      token: 'https://www.linkedin.com/oauth/v2/accessToken',
      keys: 'https://www.linkedin.com/oauth/openid/jwks',
      profile: 'https://api.linkedin.com/v2/userinfo',
      tokenCheck: 'https://www.linkedin.com/oauth/v2/introspectToken',
    },
  },
  // It refuses a verifier from web applications, and repeats no nonce in its ID tokens.
  redirect: { pkce: false, nonce: false },
  clientAuth: 'client_secret_post',
  tokenCheck: introspection,
}
