import { assetsEndpoint } from '../../http/assets-endpoint.ts'
import { atRootBelow } from '../../http/endpoint.ts'
import { captchaFacts } from '../../http/pages/captcha-widget.ts'
import type { UpToAccount } from '../account/feature.ts'
import { feature } from '../feature.ts'
import { resetPageEndpoints } from '../passwords/reset-page-endpoints.ts'
import { linkPageEndpoints } from '../registration/link-page-endpoints.ts'
import { createFacts } from './facts.ts'
import { impersonationEndpoint, invitationEndpoint } from './link-endpoints.ts'
import { pagesOf, scriptPagesEndpoints, socialEndpoints } from './page-endpoints.ts'

/** The hosted pages, for sites without a front end of their own. */
export const pagesFeature = feature((house: UpToAccount) => {
  const { settings, http, host, passwordReset, confirmPage, changePage } = house
  const { MODULES } = settings
  const { pages: site } = http
  const { show, files } = site
  // The pages below the API need their words, too.
  if (!MODULES.includes('pages')) return { later: files }
  const facts = { ...createFacts(house), captcha: captchaFacts(settings) }
  const needs = { ...house, show, facts }
  // The language of the reader matters only if there is a choice.
  const access = house.languages.isNegotiated ? 'by-link' : 'public'
  return {
    // A host that adds a prefix to all paths strips it from requests.
    endpoints: atRootBelow(settings.PAGES_PREFIX, [
      ...scriptPagesEndpoints(show, facts, pagesOf(settings), access),
      ...(settings.ADMIN_IMPERSONATION ? [impersonationEndpoint(house)] : []),
      ...(MODULES.includes('registration')
        ? linkPageEndpoints(confirmPage, site, {
            path: 'confirm/:key',
            operationIds: { show: 'showHostedConfirmPage', submit: 'submitHostedConfirmPage' },
            isHosted: true,
          })
        : []),
      invitationEndpoint(house, facts),
      ...linkPageEndpoints(changePage, site, {
        path: 'email/confirm/:key',
        operationIds: { show: 'showHostedChangePage', submit: 'submitHostedChangePage' },
        isHosted: true,
      }),
      ...resetPageEndpoints(
        { passwordReset, host, site },
        {
          path: 'password/reset/:uid/:token',
          operationIds: { show: 'showHostedResetPage', submit: 'submitHostedResetPage' },
          isHosted: true,
          script: facts,
        },
      ),
      ...(MODULES.includes('social') ? socialEndpoints(needs) : []),
      assetsEndpoint({
        path: 'assets/',
        operationId: 'showAsset',
        assets: async () => (await files()).assets,
      }),
    ]),
    later: files,
  }
})
