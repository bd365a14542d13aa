import { basic } from '../../../outbound/request.ts'
import { at, profileOf, splitName, textAt } from '../profile.ts'
import { namedAt, type Provider } from './provider.ts'
import { baseUrl } from './url-kinds.ts'

const GITHUB = 'https://github.com'

export const github: Provider = {
  id: 'github',
  title: 'GitHub',
  scopes: ['read:user', 'user:email'],
  site: {
    setting: 'GITHUB_URL',
    kind: baseUrl,
    otherwise: GITHUB,
    at(url) {
      const api = url === GITHUB ? 'https://api.github.com' : `${url}/api/v3`
      return {
        issuers: [url],
        endpoints: {
          authorize: `${url}/login/oauth/authorize`,
          token: `${url}/login/oauth/access_token`,
          profile: `${api}/user`,
          emails: `${api}/user/emails`,
          tokenCheck: `${api}/applications/{client_id}/token`,
        },
      }
    },
  },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: ({ url, accessToken, app }) => ({
      method: 'POST',
      url: url.replace('{client_id}', encodeURIComponent(app.clientId)),
      headers: {
        'content-type': 'application/json',
        authorization: basic(app.clientId, app.secret),
      },
      body: JSON.stringify({ access_token: accessToken }),
    }),
    read: namedAt(['app', 'client_id'], ['user', 'id']),
  },
  /** The address in the profile is what the owner chose to show. Only the list says which are verified. */
  readProfile(user, emails) {
    const primary = (Array.isArray(emails) ? emails : []).find((one) => at(one, 'primary') === true)
    return profileOf({
      subject: textAt(user, 'id'),
      email: textAt(primary, 'email'),
      verified: at(primary, 'verified'),
      names: [textAt(user, 'login')],
      ...splitName(textAt(user, 'name')),
    })
  },
}
