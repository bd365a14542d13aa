import { feature, type Offers } from '../feature.ts'
import type { UpToLimits } from '../limits/feature.ts'
import { createCaptcha } from './captcha.ts'
import { createProtection } from './protect-endpoint.ts'

const PAGES_HAVE_NONE =
  'CAPTCHA: the hosted pages show no captcha, so what CAPTCHA.ON names is refused there. Use a front end of your own for it.'

export const captchaFeature = feature('captcha', (house: UpToLimits) => {
  const captcha = createCaptcha(house)
  const isUnsolvable = captcha !== null && house.settings.MODULES.includes('pages')
  return {
    offers: { protectEndpoint: createProtection({ captcha, ...house.http }) },
    warnings: isUnsolvable ? [PAGES_HAVE_NONE] : [],
  }
})

export type UpToCaptcha = UpToLimits & Offers<typeof captchaFeature>
