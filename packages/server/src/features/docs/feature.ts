import { assetsEndpoint } from '../../http/assets-endpoint.ts'
import { feature } from '../feature.ts'
import { createApiPage } from './built-api-page.ts'
import { docsEndpoint } from './docs-endpoint.ts'

/** The page that shows the API and sends requests to it. */
export const docsFeature = feature('docs', ({ settings }) => {
  if (!settings.API_DOCS) return {}
  const page = createApiPage()
  return {
    endpoints: [
      docsEndpoint(page, settings),
      assetsEndpoint({
        path: 'docs/assets/',
        operationId: 'showDocsAsset',
        assets: async () => (await page()).assets,
      }),
    ],
  }
})
