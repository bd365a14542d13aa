import type { OutboundRequest } from '../../outbound/request.ts'
import type { CaptchaProvider } from '../../settings/groups/captcha.ts'

/** Our keys, what the visitor solved, and from where. The address is empty if it is not known. */
type Solved = { siteKey: string; secret: string; response: string; address: string }

/** How a provider is asked whether somebody solved its captcha. All answer `{"success": …}`. */
type Provider = {
  verifyUrl: string
  request(solved: Solved): Pick<OutboundRequest, 'headers' | 'body'>
}

const form = ({ address, ...fields }: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ ...fields, ...(address && { remoteip: address }) }).toString(),
})

export const providers: Readonly<Record<CaptchaProvider, Provider>> = {
  turnstile: {
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    request: ({ secret, response, address }) => form({ secret, response, address }),
  },
  hcaptcha: {
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    request: ({ secret, response, siteKey, address }) =>
      form({ secret, response, sitekey: siteKey, address }),
  },
  recaptcha: {
    verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    request: ({ secret, response, address }) => form({ secret, response, address }),
  },
  friendly: {
    verifyUrl: 'https://global.frcapi.com/api/v2/captcha/siteverify',
    request: ({ secret, response, siteKey }) => ({
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ response, sitekey: siteKey }),
    }),
  },
}

/**
 * Codes of refusals that no visitor can cause: our keys are wrong, or the provider has failed. All
 * others count as a wrong answer, so that nobody can fake an outage to skip the captcha.
 */
export const NOT_OF_VISITORS: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'internal-error',
  'auth_required',
  'auth_invalid',
  'sitekey_invalid',
])
