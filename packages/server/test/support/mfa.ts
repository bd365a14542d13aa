import { expect } from 'vitest'
import { fromBase32, hotp } from '../../src/crypto/totp.ts'
import type { User } from '../../src/storage/schema.ts'
import type { CallOptions } from './client.ts'
import { identityOf } from './identities.ts'
import { PASSWORD, type StartedAuth } from './start-auth.ts'

export const MFA_REQUIRED = {
  ephemeral_token: expect.stringMatching(/^[\w-]{43}$/),
  mfa_required: true,
}
export const WRONG_CODE = { code: ['Invalid code.'] }
export const DEAD_TOKEN = { ephemeral_token: ['Invalid or expired token.'] }
export const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/

/** The code that an authenticator app shows, some steps from now. */
export function codeOf({ clock, settings }: StartedAuth, secret: string, steps = 0): string {
  const { MFA_TOTP_PERIOD, MFA_TOTP_DIGITS } = settings.REST_AUTH
  const step = Math.floor(clock.now() / 1000 / MFA_TOTP_PERIOD) + steps
  return hotp(fromBase32(secret), step, MFA_TOTP_DIGITS)
}

/** A code that is wrong for this secret. */
export function wrongCode(auth: StartedAuth, secret: string): string {
  const right = [-1, 0, 1].map((steps) => codeOf(auth, secret, steps))
  const digits = auth.settings.REST_AUTH.MFA_TOTP_DIGITS
  const codes = ['1', '2', '3', '4'].map((digit) => digit.repeat(digits))
  return codes.find((code) => !right.includes(code)) ?? ''
}

type Offer = {
  secret: string
  totp_url: string
  qr_code_data_uri: string
  activation_token: string
}

export async function offerOf({ request }: StartedAuth, options: CallOptions): Promise<Offer> {
  return (await request.get('mfa/totp/activate/', options)).body as Offer
}

/** Activates the offer in a request that was authenticated earlier, with the row as it was then. */
export function completeLate(auth: StartedAuth, user: User, offer: Offer): Promise<string[]> {
  const code = codeOf(auth, offer.secret)
  const { activation } = auth.auth.services.mfa
  return activation.complete(identityOf(user), offer.activation_token, code)
}

/** Switches MFA on for the user of the token key, and lets the code that was used expire. */
export async function activate(auth: StartedAuth, token: string) {
  const { secret, activation_token } = await offerOf(auth, { token })
  const body = { activation_token, code: codeOf(auth, secret) }
  const reply = await auth.request.post('mfa/totp/activate/', body, { token })
  expect(reply.status).toBe(200)
  auth.clock.advance(2 * auth.settings.REST_AUTH.MFA_TOTP_PERIOD * 1000)
  return { secret, codes: (reply.body as { recovery_codes: string[] }).recovery_codes }
}

/** A user with MFA, and the token key of an earlier login. */
export async function createUserWithMfa(auth: StartedAuth, username: string) {
  const token = await auth.createUserWithToken(username)
  return { token, ...(await activate(auth, token)) }
}

/** The first step of a login. */
export async function challengeOf({ request }: StartedAuth, username: string): Promise<string> {
  const reply = await request.post('login/', { username, password: PASSWORD })
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  return (reply.body as { ephemeral_token: string }).ephemeral_token
}

/** The second step. */
export const verify = ({ request }: StartedAuth, ephemeral_token: string, code: unknown) =>
  request.post('mfa/verify/', { ephemeral_token, code })
