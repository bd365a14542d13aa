import { isIP } from 'node:net'
import { isObject } from '../../kernel/json-object.ts'
import { Problem, problem, unavailable } from '../../kernel/problems.ts'
import { createOutbound } from '../../outbound/create-outbound.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/request.ts'
import type { CaptchaProvider } from '../../settings/groups/captcha.ts'
import type { Context } from '../feature.ts'

/** Lower than the limit of outbound calls: reaching that limit would look like an outage of the provider. */
const MOST_AT_ONCE = 128

export type Captcha = ReturnType<typeof createCaptcha>

/** Null if no provider is set. */
export function createCaptcha({ settings, clock, log, outboundMs }: Context) {
  const { PROVIDER: party, SITE_KEY: siteKey, SECRET: secret, ...rest } = settings.CAPTCHA
  if (party === null || siteKey === null || secret === null) return null
  const { verifyUrl, request } = providers[party]
  const url = rest.VERIFY_URL ?? verifyUrl
  const opensWhenDown = rest.WHEN_DOWN === 'allow'
  const outbound = createOutbound({
    party,
    origins: new Set([new URL(url).origin]),
    allowPrivate: rest.VERIFY_URL !== null,
    clock,
    log,
    timeoutMs: outboundMs,
  })

  let pending = 0

  return {
    on: rest.ON,
    /** Refuses unless the provider confirms what the visitor solved. */
    async check(response: string, visitor: string): Promise<void> {
      // While the provider is down, visitors get nothing to solve. So a visitor without an answer may
      // pass only if the provider does not answer us either.
      if (response === '' && !opensWhenDown) throw problem('captcha_refused')
      // Visitors can cause this, so it lets nobody pass.
      if (pending >= MOST_AT_ONCE) throw unavailable()
      pending += 1
      const address = isIP(visitor) ? visitor : ''
      const solved = { siteKey, secret, response, address }
      const isRight = await outbound
        .call({ url, method: 'POST', ...request(solved) })
        .then(isConfirmed)
        .catch(passWhenDown)
        .finally(() => {
          pending -= 1
        })
      if (!isRight) throw problem('captcha_refused')
    },
  }

  function isConfirmed({ status, body }: OutboundAnswer): boolean {
    const success = isObject(body) ? body.success : undefined
    const isOurFault = codesIn(body).some((code) => NOT_OF_VISITORS.has(code))
    if (isOurFault || (status < 300 && typeof success !== 'boolean')) {
      const words = isOurFault
        ? 'the captcha provider refuses CAPTCHA.SECRET or CAPTCHA.SITE_KEY, or has failed'
        : 'the captcha provider gave an answer without success'
      log.error({ party, status }, words)
      throw unavailable().logged()
    }
    return status < 300 && success === true
  }

  function passWhenDown(error: unknown): true {
    if (opensWhenDown && error instanceof Problem) return true
    throw error
  }
}

/** Most providers list their codes. Friendly Captcha has one inside an object. */
function codesIn(body: unknown): unknown[] {
  if (!isObject(body) || body.success === true) return []
  const { 'error-codes': codes, error } = body
  return [...(Array.isArray(codes) ? codes : []), ...(isObject(error) ? [error.error_code] : [])]
}

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
const NOT_OF_VISITORS: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'internal-error',
  'auth_required',
  'auth_invalid',
  'sitekey_invalid',
])
