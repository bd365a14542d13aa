import type { AdminCaller } from '../../core/identity.ts'
import type { Authenticate } from '../../http/authenticate.ts'
import { type Endpoint, tagged } from '../../http/endpoint.ts'
import type { FreshnessRules } from '../../http/freshness.ts'
import { createBuiltFiles } from '../../http/pages/built-files.ts'
import { adminView } from '../../settings/admin-view.ts'
import type { Settings } from '../../settings/settings.ts'
import type { UpToAdministration } from '../administration/feature.ts'
import { feature } from '../feature.ts'
import { createGate } from '../login/gate.ts'
import { createLogin } from '../login/login.ts'
import { adminPagesEndpoints } from '../pages/admin-page-endpoints.ts'
import { createPasskeys } from '../passkeys/passkeys.ts'
import { createReauthenticate } from '../reauthentication/reauthenticate.ts'
import { createAdminDoor } from './admin-door.ts'
import { adminLoginEndpoints, forPeople } from './admin-login-endpoints.ts'
import { createAdminExchange } from './answer-admin-login.ts'
import {
  createAdminAuthenticate,
  createAdminFreshness,
  createMustBeValid,
} from './authenticate-admin.ts'
import { operationEndpoints } from './operation-endpoints.ts'

/** The admin API and its pages, as a server needs them. */
export type AdminApi = {
  /** As the admin API sees them. */
  readonly settings: Settings
  /** Where the pages are. The API is below it, at `api/`. */
  path(): string
  readonly endpoints: readonly Endpoint<AdminCaller>[]
  readonly pages: readonly Endpoint<AdminCaller>[]
  readonly authenticate: Authenticate<AdminCaller>
  readonly freshness: FreshnessRules<AdminCaller>
}

/** The admin API. It has its own house: another origin, other cookies, passkeys and credentials. */
export const adminFeature = feature((house: UpToAdministration) => {
  const { MODULES } = house.settings
  if (!MODULES.includes('admin')) return { offers: { admin: null as AdminApi | null } }
  const settings = adminView(house.settings)
  const own = { ...house, settings, http: house.adminHttp }
  const passkeys = createPasskeys(own)
  const mfa = { ...house.mfa, challenges: house.mfa.adminChallenges }
  const { isAccepted: hasPasskeys } = house.operatorPasskey
  const parts = { ...own, passkeys, mfa, hasPasskeys }
  const gate = createGate(parts, createAdminDoor(parts))
  const logins = adminLoginEndpoints({
    ...parts,
    gate,
    login: createLogin({ ...parts, gate }),
    exchange: createAdminExchange(house),
    reauthenticate: createReauthenticate(parts),
  })
  const authenticate = createAdminAuthenticate(house)
  const operations = operationEndpoints({
    ...own,
    authenticate,
    mustBeValid: createMustBeValid(house),
  })
  const files = createBuiltFiles('admin')
  const admin: AdminApi | null = {
    settings,
    path: house.adminPath,
    endpoints: [...tagged('Login', logins), ...tagged('Operations', operations)],
    pages: adminPagesEndpoints({ ...parts, files, origins: own.http.origins }).map(forPeople),
    authenticate,
    freshness: createAdminFreshness(house),
  }
  return { offers: { admin }, later: files }
})
