import { fromBase32, hotp } from '../crypto/totp.ts'
import { createTotpSecrets } from '../features/mfa/second-factor.ts'
import { SECOND } from '../kernel/clock.ts'
import { findUser } from './logins.ts'
import { TestRefusal } from './refusal.ts'
import type { Space } from './space.ts'

/** The code that the authenticator app of a user shows. A code that is spent is skipped. */
export async function totpOf(space: Space, name: string): Promise<{ code: string }> {
  const { service, clock } = space
  const user = await findUser(space, name)
  const { authenticator } = await service.services.mfa.status(user.id)
  const secret = authenticator && createTotpSecrets(service.services).open(authenticator)
  if (!authenticator || !secret) {
    throw new TestRefusal(
      `"${user.username}" has no authenticator app. Create them with totp.`,
      404,
    )
  }
  const { MFA_TOTP_PERIOD: period, MFA_TOTP_DIGITS: digits } = service.settings.REST_AUTH
  const now = Math.floor(clock.now() / SECOND / period)
  // The service accepts the code of the next period, too.
  const step = [now, now + 1].find((one) => one > authenticator.last_step)
  if (step === undefined) {
    throw new TestRefusal(
      `Every code of this moment is spent. Advance the clock by ${period} s.`,
      409,
    )
  }
  return { code: hotp(fromBase32(secret), step, digits) }
}
