import { assetsEndpoint } from '../../http/assets-endpoint.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Origins } from '../../http/origins.ts'
import type { BuiltFiles } from '../../http/pages/built-files.ts'
import { createSitePages } from '../../http/pages/site-page.ts'
import type { Settings } from '../../settings/settings.ts'
import type { UpToAccount } from '../account/feature.ts'
import { createFacts } from './facts.ts'
import { scriptPagesEndpoints } from './page-endpoints.ts'

/** The path of each page below `/admin/`, and the key of its title. */
const PAGES = {
  '': 'nav.users',
  'users/new/': 'new.title',
  'users/:pk/': 'nav.users',
  'invitations/': 'nav.invitations',
  'audit/': 'nav.audit',
  'mail/': 'nav.mail',
  'keys/': 'nav.keys',
  'findings/': 'nav.findings',
  'figures/': 'nav.figures',
} as const

type Needs = Pick<UpToAccount, 'place' | 'social' | 'apiKeys' | 'adminPath' | 'languages'> & {
  /** The settings as the admin API sees them. */
  settings: Settings
  origins: Origins
  files: () => Promise<BuiltFiles>
}

/**
 * The pages for operators. They contain no data: their script asks the admin API, which decides who
 * may see what.
 */
export function adminPagesEndpoints({
  settings,
  languages,
  social,
  apiKeys,
  place,
  origins,
  adminPath,
  files,
}: Needs): Endpoint[] {
  const { show } = createSitePages({
    settings: { ...settings, MODULES: ['pages'] },
    languages,
    place: () => ({ ...place(), AUTH_PREFIX: `${adminPath()}api/`, PAGES_PREFIX: adminPath() }),
    origins,
    files,
  })
  const facts = {
    ...createFacts({ settings, social, apiKeys }),
    // Operators need none.
    captcha: null,
    admin: { storageKey: 'latchkey-admin', impersonation: settings.ADMIN_IMPERSONATION },
  }
  const pages = scriptPagesEndpoints(show, facts, PAGES)
  const assets = assetsEndpoint({
    path: 'assets/',
    operationId: 'showAdminAsset',
    assets: async () => (await files()).assets,
  })
  return [...pages, assets]
}
