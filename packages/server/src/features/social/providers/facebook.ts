import { createHmac } from 'node:crypto'
import { at, profileOf, readOpenIdClaims, textAt } from '../profile.ts'
import { type Provider, withQuery } from './provider.ts'
import { baseUrl } from './url-kinds.ts'

const FIELDS = 'id,email,name,first_name,last_name'

export const facebook: Provider = {
  id: 'facebook',
  title: 'Facebook',
  scopes: ['email', 'public_profile'],
  site: {
    setting: 'GRAPH_API_URL',
    kind: baseUrl,
    otherwise: 'https://graph.facebook.com/v22.0',
    at: (url) => ({
      issuers: ['https://www.facebook.com'],
      endpoints: {
        authorize: 'https://www.facebook.com/v22.0/dialog/oauth',
        token: `${url}/oauth/access_token`,
        keys: 'https://www.facebook.com/.well-known/oauth/openid/jwks/',
        profile: `${url}/me`,
        tokenCheck: `${url}/debug_token`,
      },
    }),
  },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: ({ url, accessToken, app: { clientId, secret } }) => ({
      url: withQuery(url, { input_token: accessToken, access_token: `${clientId}|${secret}` }),
    }),
    read(answer) {
      const isValid = at(answer, 'data', 'is_valid') === true
      return {
        clientId: isValid ? textAt(answer, 'data', 'app_id') : null,
        subject: textAt(answer, 'data', 'user_id'),
      }
    },
  },
  readClaims: readOpenIdClaims,
  /** Facebook does not say whether it verified the address. */
  readProfile: (user) =>
    profileOf({
      subject: textAt(user, 'id'),
      email: textAt(user, 'email'),
      verified: false,
      names: [textAt(user, 'name')],
      firstName: textAt(user, 'first_name'),
      lastName: textAt(user, 'last_name'),
    }),
  /** The proof shows that the call comes from us. An application can be set to demand it. */
  profileRequest: ({ url, accessToken, app: { secret } }) => ({
    url: withQuery(url, {
      fields: FIELDS,
      access_token: accessToken,
      appsecret_proof: createHmac('sha256', secret).update(accessToken).digest('hex'),
    }),
  }),
}
