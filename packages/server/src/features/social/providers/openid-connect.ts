import { introspection, type Provider, standard } from './provider.ts'
import { baseUrl } from './url-kinds.ts'

const WELL_KNOWN = '/.well-known/'

/** Any issuer. Its discovery document names its endpoints. */
export const openidConnect: Provider = {
  id: 'openid_connect',
  title: 'OpenID Connect',
  ...standard,
  site: {
    setting: 'SERVER_URL',
    kind: baseUrl,
    otherwise: null,
    /** The issuer, or the URL of its discovery document, which some people write instead. */
    at(url) {
      const [issuer = url, document] = url.split(WELL_KNOWN)
      const discovery = `${issuer}${WELL_KNOWN}${document ?? 'openid-configuration'}`
      return { issuers: [issuer], discovery, endpoints: {} }
    },
  },
  clientAuth: 'client_secret_basic',
  tokenCheck: introspection,
}
