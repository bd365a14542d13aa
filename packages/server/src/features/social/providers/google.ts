import { namedAt, type Provider, standard, withQuery } from './provider.ts'

export const google: Provider = {
  id: 'google',
  title: 'Google',
  ...standard,
  site: {
    // Google uses both spellings.
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    endpoints: {
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      keys: 'https://www.googleapis.com/oauth2/v3/certs',
      profile: 'https://openidconnect.googleapis.com/v1/userinfo',
      tokenCheck: 'https://oauth2.googleapis.com/tokeninfo',
    },
  },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: ({ url, accessToken }) => ({ url: withQuery(url, { access_token: accessToken }) }),
    read: namedAt(['aud'], ['sub']),
  },
}
