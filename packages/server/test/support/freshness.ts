import { MINUTE } from '../../src/kernel/clock.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { Reply } from './client.ts'
import type { Caller } from './modes.ts'

/** Whether an endpoint wants a fresh credential, and when. */
type Wish = 'never' | 'if-required' | 'if-required-or-without-password' | 'always'

/**
 * Every endpoint that needs a login. A test compares the list with the endpoints of the service, so
 * a new one must stand here, too.
 */
export const SIGNED_IN: Readonly<Record<string, Wish>> = {
  'GET user/': 'never',
  'PUT user/': 'never',
  'PATCH user/': 'never',
  'GET email/': 'never',
  'POST email/change/': 'if-required-or-without-password',
  'DELETE email/change/': 'never',
  'GET sessions/': 'never',
  'DELETE sessions/:id/': 'if-required',
  'POST sessions/end-others/': 'if-required',
  'POST reauthenticate/': 'never',
  'POST password/change/': 'if-required',
  'GET mfa/status/': 'never',
  'GET mfa/totp/activate/': 'if-required',
  'POST mfa/totp/activate/': 'if-required',
  'POST mfa/totp/deactivate/': 'if-required',
  'GET mfa/recovery-codes/': 'if-required',
  'POST mfa/recovery-codes/': 'if-required',
  'POST mfa/recovery-codes/regenerate/': 'if-required',
  'POST passkeys/register/begin/': 'if-required',
  'POST passkeys/register/complete/': 'if-required',
  'GET passkeys/': 'never',
  'GET passkeys/:id/': 'never',
  'PUT passkeys/:id/': 'never',
  'PATCH passkeys/:id/': 'never',
  'DELETE passkeys/:id/': 'if-required',
  'POST github/connect/': 'if-required',
  'GET socialaccounts/': 'never',
  'POST socialaccounts/:id/disconnect/': 'if-required',
  'GET account/export/': 'always',
  'POST account/delete/': 'if-required-or-without-password',
}

/** Everything that can be switched on is on. */
export const EVERYTHING: UncheckedSettings = {
  ACCOUNT: { DELETION: true },
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
