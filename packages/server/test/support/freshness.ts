import { MINUTE } from '../../src/kernel/clock.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { Reply } from './client.ts'
import type { Caller } from './modes.ts'

/** Whether an endpoint refuses a stale credential, and when. */
type Refused = 'never' | 'if-required' | 'if-required-or-without-password' | 'always'

/**
 * Every endpoint that needs a login. A test compares the list with the endpoints of the service, so
 * a new one must stand here, too. `status` is what it answers to `callOne` if it does not refuse.
 */
export const SIGNED_IN: Readonly<Record<string, { refused: Refused; status: number }>> = {
  'GET user/': { refused: 'never', status: 200 },
  'PUT user/': { refused: 'never', status: 200 },
  'PATCH user/': { refused: 'never', status: 200 },
  'GET email/': { refused: 'never', status: 200 },
  'POST email/change/': { refused: 'if-required-or-without-password', status: 400 },
  'DELETE email/change/': { refused: 'never', status: 204 },
  'GET sessions/': { refused: 'never', status: 200 },
  'DELETE sessions/:id/': { refused: 'if-required', status: 404 },
  'POST sessions/end-others/': { refused: 'if-required', status: 200 },
  'GET tokens/': { refused: 'never', status: 200 },
  'POST tokens/': { refused: 'always', status: 400 },
  'DELETE tokens/:id/': { refused: 'if-required', status: 404 },
  'POST reauthenticate/': { refused: 'never', status: 400 },
  'POST password/change/': { refused: 'if-required', status: 400 },
  'GET mfa/status/': { refused: 'never', status: 200 },
  'GET mfa/totp/activate/': { refused: 'if-required', status: 200 },
  'POST mfa/totp/activate/': { refused: 'if-required', status: 400 },
  'POST mfa/totp/deactivate/': { refused: 'if-required', status: 400 },
  'GET mfa/recovery-codes/': { refused: 'if-required', status: 200 },
  'POST mfa/recovery-codes/': { refused: 'if-required', status: 200 },
  'POST mfa/recovery-codes/regenerate/': { refused: 'if-required', status: 400 },
  'POST passkeys/register/begin/': { refused: 'if-required', status: 200 },
  'POST passkeys/register/complete/': { refused: 'if-required', status: 400 },
  'GET passkeys/': { refused: 'never', status: 200 },
  'GET passkeys/:id/': { refused: 'never', status: 404 },
  'PUT passkeys/:id/': { refused: 'never', status: 400 },
  'PATCH passkeys/:id/': { refused: 'never', status: 404 },
  'DELETE passkeys/:id/': { refused: 'if-required', status: 404 },
  'POST github/connect/': { refused: 'if-required', status: 400 },
  'GET socialaccounts/': { refused: 'never', status: 200 },
  'POST socialaccounts/:id/disconnect/': { refused: 'if-required', status: 404 },
  'GET account/export/': { refused: 'always', status: 200 },
  'POST account/delete/': { refused: 'if-required-or-without-password', status: 400 },
}

/** Everything that can be switched on is on. */
export const EVERYTHING: UncheckedSettings = {
  ACCOUNT: { DELETION: true },
  API_KEYS: true,
  SOCIALACCOUNT: { PROVIDERS: { github: { APP: { client_id: 'c', secret: 's' } } } },
  // Longer than a login is fresh.
  SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' },
}

export const STALE_AFTER = 5 * MINUTE

export const STALE = [
  403,
  { detail: 'Recent authentication is required.', code: 'reauthentication_required' },
] as const

/** Asks for something that nobody has, so that nothing is changed but by a right request. */
export function callOne(caller: Pick<Caller, 'call'>, endpoint: string): Promise<Reply> {
  const [method = '', path = ''] = endpoint.replace(':id', '2000000000').split(' ')
  return caller.call(method as 'GET', path, method === 'GET' ? undefined : {})
}
