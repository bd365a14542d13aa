import type { Endpoint } from '../../http/endpoint.ts'
import type { Field } from '../../http/fields.ts'
import type { HttpTools } from '../../http/tools.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToLimits } from '../limits/feature.ts'
import { type Captcha, createCaptcha } from './captcha.ts'

export const captchaFeature = feature((house: UpToLimits) => ({
  offers: { protectEndpoint: createProtection(createCaptcha(house), house.http) },
}))

export type UpToCaptcha = UpToLimits & Offers<typeof captchaFeature>

/** Longer than any answer of a provider. Those of hCaptcha can have more than 4000 characters. */
const RESPONSE_MAX = 16_384

/** Anything that cannot be an answer counts as none. The guard then refuses it. */
const response: Field<string> = {
  optional: true,
  schema: {
    type: 'string',
    maxLength: RESPONSE_MAX,
    examples: ['0.Zr5nWq8LkT2vXb9YpC4mHs7dRfJ1gUe3'],
  },
  read: (input) => {
    const isPossible = typeof input === 'string' && input.length <= RESPONSE_MAX
    return { value: isPossible ? input.trim() : '' }
  },
}

/** Makes an endpoint ask for a captcha, if it declares one that the settings want. */
const createProtection =
  (captcha: Captcha, { deviceOf }: HttpTools) =>
  (endpoint: Endpoint): Endpoint => {
    const { captcha: declared, body, refusals = [] } = endpoint
    if (!captcha || !declared || !captcha.on.includes(declared.on)) return endpoint
    return {
      ...endpoint,
      body: { ...body, captcha: response },
      refusals: [...refusals, 'captcha_refused'],
      async guard(call) {
        const { captcha: given } = call.body
        // The handler must not see it: its fields may be passed to hooks of the host.
        delete call.body.captcha
        if ((await declared.isNeeded?.(call)) === false) return
        await captcha.check(typeof given === 'string' ? given : '', deviceOf(call.request).address)
      },
    }
  }
