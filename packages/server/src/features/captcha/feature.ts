import { feature, type Offers } from '../feature.ts'
import type { UpToLimits } from '../limits/feature.ts'
import { createCaptcha } from './captcha.ts'
import { createProtection } from './protect-endpoint.ts'

export const captchaFeature = feature((house: UpToLimits) => {
  const captcha = createCaptcha(house)
  return { offers: { protectEndpoint: createProtection({ captcha, ...house.http }) } }
})

export type UpToCaptcha = UpToLimits & Offers<typeof captchaFeature>
