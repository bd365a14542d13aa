import { at, profileOf, readOpenIdClaims, textAt } from '../profile.ts'
import { namedAt, type Provider, withBearer } from './provider.ts'

const TWITCH = 'https://id.twitch.tv/oauth2'

export const twitch: Provider = {
  id: 'twitch',
  title: 'Twitch',
  scopes: ['openid', 'user:read:email'],
  site: {
    issuers: [TWITCH],
    endpoints: {
      authorize: `${TWITCH}/authorize`,
      token: `${TWITCH}/token`,
      keys: `${TWITCH}/keys`,
      profile: 'https://api.twitch.tv/helix/users',
      tokenCheck: `${TWITCH}/validate`,
    },
  },
  redirect: { pkce: false },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: ({ url, accessToken }) => ({
      url,
      headers: { authorization: `OAuth ${accessToken}` },
    }),
    read: namedAt(['client_id'], ['user_id']),
  },
  readClaims: readOpenIdClaims,
  readProfile(answer) {
    const users = at(answer, 'data')
    const user: unknown = Array.isArray(users) ? users[0] : undefined
    return profileOf({
      subject: textAt(user, 'id'),
      email: textAt(user, 'email'),
      verified: false,
      names: [textAt(user, 'login'), textAt(user, 'display_name')],
    })
  },
  profileRequest(question) {
    const { url, headers } = withBearer(question)
    return { url, headers: { ...headers, 'client-id': question.app.clientId } }
  },
}
