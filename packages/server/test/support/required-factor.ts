import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { codeOf } from './mfa.ts'
import type { Caller, Mode } from './modes.ts'
import { startMode } from './modes.ts'
import type { StartedAuth } from './start-auth.ts'

export const DUE = [
  403,
  { detail: 'Set up a second factor first.', code: 'mfa_setup_required' },
] as const

export const startRequired = (
  mode: Mode = 'token',
  input: UncheckedSettings = {},
  options: Parameters<typeof startMode>[2] = {},
) => startMode(mode, { MFA_REQUIRED: 'all', ...input }, options)

/** What `user/` says: whether the caller must set up a second factor. */
export async function isDue(caller: Pick<Caller, 'get'>): Promise<boolean> {
  const { status, body } = await caller.get('user/')
  if (status !== 200) throw new Error(`user/ answered ${status} ${JSON.stringify(body)}`)
  const { mfa_setup_required: said } = body as { mfa_setup_required?: true }
  if (said !== undefined && said !== true) throw new Error('It is shown only if it applies.')
  return said === true
}

/** Sets up an app, and lets the code that was used expire. Returns the secret. */
export async function setUpFactor(started: StartedAuth, caller: Pick<Caller, 'get' | 'post'>) {
  const { body } = await caller.get('mfa/totp/activate/')
  const { secret, activation_token } = body as { secret: string; activation_token: string }
  const given = { activation_token, code: codeOf(started, secret) }
  const reply = await caller.post('mfa/totp/activate/', given)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  started.clock.advance(60_000)
  return secret
}
