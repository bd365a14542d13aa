import { namedAt, type Provider, standard, withBearer } from './provider.ts'
import { baseUrl } from './url-kinds.ts'

export const gitlab: Provider = {
  id: 'gitlab',
  title: 'GitLab',
  ...standard,
  site: {
    setting: 'GITLAB_URL',
    kind: baseUrl,
    otherwise: 'https://gitlab.com',
    at: (url) => ({
      issuers: [url],
      endpoints: {
        authorize: `${url}/oauth/authorize`,
        token: `${url}/oauth/token`,
        keys: `${url}/oauth/discovery/keys`,
        profile: `${url}/oauth/userinfo`,
        tokenCheck: `${url}/oauth/token/info`,
      },
    }),
  },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: withBearer,
    read: namedAt(['application', 'uid'], ['resource_owner_id']),
  },
}
