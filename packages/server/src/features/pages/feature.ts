import { assetsEndpoint } from '../../http/assets-endpoint.ts'
import { atRootBelow } from '../../http/endpoint.ts'
import type { UpToAccount } from '../account/feature.ts'
import { feature } from '../feature.ts'
import { createShowPage } from './answer-page.ts'
import { createBuiltFiles } from './built-files.ts'
import { changeEmailEndpoints } from './change-email-endpoints.ts'
import { confirmEndpoints } from './confirm-endpoints.ts'
import { createFacts } from './facts.ts'
import { resetEndpoints } from './reset-endpoints.ts'
import { scriptPagesEndpoints } from './script-pages-endpoints.ts'
import { socialEndpoints } from './social-endpoints.ts'

/** The hosted pages, for those who do not want to build a front end of their own. */
export const pagesFeature = feature('pages', (house: UpToAccount) => {
  const { settings, http, reset, verification, social } = house
  const { MODULES, PAGES_PREFIX: prefix } = settings
  if (!MODULES.includes('pages')) return {}
  const files = createBuiltFiles()
  const facts = createFacts(settings, social)
  const showPage = createShowPage({ settings, files, facts, origins: http.origins })
  return {
    endpoints: atRootBelow(prefix, [
      ...scriptPagesEndpoints({ showPage, settings }),
      ...(MODULES.includes('registration')
        ? confirmEndpoints({ verification, showPage, settings })
        : []),
      ...changeEmailEndpoints({ ...house, showPage, prefix }),
      ...resetEndpoints({ reset, showPage, prefix }),
      ...(MODULES.includes('social') ? socialEndpoints({ social, showPage, prefix }) : []),
      assetsEndpoint({
        path: 'assets/',
        operationId: 'showAsset',
        assets: async () => (await files()).assets,
      }),
    ]),
    later: files,
  }
})
