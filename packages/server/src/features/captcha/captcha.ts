import { isIP } from 'node:net'
import { isObject } from '../../kernel/json-object.ts'
import { Problem, problem, unavailable } from '../../kernel/problems.ts'
import { createOutbound } from '../../outbound/create-outbound.ts'
import type { OutboundAnswer } from '../../outbound/request.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Context } from '../feature.ts'
import { NOT_OF_VISITORS, providers } from './providers.ts'

/** Lower than the limit of outbound calls: reaching that one would look like an outage of the provider. */
const MOST_AT_ONCE = 128

export type Captcha = {
  on: Settings['CAPTCHA']['ON']
  /** Refuses unless the provider confirms what the visitor solved. */
  check(response: string, address: string): Promise<void>
}

/** Null if no provider is set. */
export function createCaptcha({ settings, clock, log, outboundMs }: Context): Captcha | null {
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
    async check(response, visitor) {
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
