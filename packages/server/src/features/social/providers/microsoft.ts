import { textual } from '../../../kernel/setting-kinds/kind.ts'
import { at, type Profile, readOpenIdClaims } from '../profile.ts'
import type { Provider } from './provider.ts'

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * "common" and "organizations" are refused: they would let every tenant in the world vouch for our
 * users.
 */
const tenantId = textual(
  'the id of one tenant (a GUID), or consumers for personal accounts',
  (tenant) => {
    const id = tenant === 'consumers' ? CONSUMERS : tenant.toLowerCase()
    return TENANT_ID.test(id) ? id : undefined
  },
)

export const microsoft: Provider = {
  id: 'microsoft',
  title: 'Microsoft',
  scopes: ['openid', 'email', 'profile'],
  site: {
    setting: 'TENANT',
    kind: tenantId,
    otherwise: null,
    at(tenant) {
      const base = `https://login.microsoftonline.com/${tenant}`
      return {
        issuers: [`${base}/v2.0`],
        endpoints: {
          authorize: `${base}/oauth2/v2.0/authorize`,
          token: `${base}/oauth2/v2.0/token`,
          keys: `${base}/discovery/v2.0/keys`,
        },
      }
    },
  },
  clientAuth: 'client_secret_post',
  tokenCheck: null,
  readClaims: readMicrosoftClaims,
  readProfile: readMicrosoftClaims,
}

/**
 * A tenant's administrator may write any address into `email`. Only this claim says who owns the
 * domain.
 */
function readMicrosoftClaims(claims: unknown): Profile {
  const profile = readOpenIdClaims(claims)
  const isVerified = at(claims, 'xms_edov') === true
  return { ...profile, address: profile.address && { ...profile.address, isVerified } }
}
