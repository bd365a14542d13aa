import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import { whyPasskeysCannotWork } from '../../settings/why-passkeys-cannot-work.ts'

export type RelyingParty = ReturnType<typeof createRelyingParty>

/** How authenticators see this service. */
export function createRelyingParty(settings: Pick<Settings, 'REST_AUTH' | 'PUBLIC_URL'>) {
  const { REST_AUTH } = settings
  const isUsable = whyPasskeysCannotWork(settings) === null
  return {
    rpId: REST_AUTH.PASSKEY_RP_ID,
    name: REST_AUTH.PASSKEY_RP_NAME,
    origins: REST_AUTH.PASSKEY_RP_ORIGINS,
    userVerification: REST_AUTH.PASSKEY_USER_VERIFICATION,
    requireUserVerification: REST_AUTH.PASSKEY_USER_VERIFICATION === 'required',
    timeoutMs: REST_AUTH.PASSKEY_CHALLENGE_TIMEOUT,

    mustBeUsable(): void {
      if (!isUsable) throw problem('passkeys_not_configured')
    },
  }
}
