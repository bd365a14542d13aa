import { textual } from '../../../kernel/setting-kinds/kind.ts'
import { at, type Profile, readOpenIdClaims, textAt } from '../profile.ts'
import type { Provider } from './provider.ts'

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The `oid` of a personal account is its 16 digits in Microsoft Graph, written as a GUID. */
const PERSONAL_OID = /^0{8}-0{4}-0{4}-([0-9a-f]{4})-([0-9a-f]{12})$/

/**
 * "common" and "organizations" are refused: they would let every tenant in the world vouch for our
 * users.
 */
const tenantId = textual(
  'the id of one tenant (a GUID), or consumers for personal accounts',
  (tenant) => {
    const id = tenant === 'consumers' ? CONSUMERS : tenant.toLowerCase()
    return GUID.test(id) ? id : undefined
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
 * A tenant's administrator may write any address into `email`. Only `xms_edov` says who owns the
 * domain; some tenants send it as text.
 */
function readMicrosoftClaims(claims: unknown): Profile {
  const profile = readOpenIdClaims(claims)
  const said = at(claims, 'xms_edov')
  const isVerified = said === true || said === '1' || said === 'true'
  return {
    ...profile,
    ...subjectsIn(claims, profile),
    address: profile.address && { ...profile.address, isVerified },
  }
}

/**
 * The id of the user in Microsoft Graph, by which allauth knows them. `sub` differs from application
 * to application, and was the subject here up to version 0.2.
 */
function subjectsIn(claims: unknown, { subject: sub }: Profile) {
  const oid = textAt(claims, 'oid') ?? ''
  return GUID.test(oid) ? { subject: oid.replace(PERSONAL_OID, '$1$2'), formerSubject: sub } : {}
}
