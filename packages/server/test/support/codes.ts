import { expect } from 'vitest'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { CallOptions } from './client.ts'
import { type StartedAuth, startAuth } from './start-auth.ts'

export const ADA = 'ada@example.com'
export const BY_CODE = { LOGIN_BY_CODE_ENABLED: true }
export const WRONG = { code: ['Invalid code.'] }
export const EXPIRED = { session_id: ['The code has expired. Please start over.'] }
export const CODE_SENT = {
  detail: 'If there is such an account, a code has been sent.',
  session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
}

/** A service with Ada, who may log in by a code. */
export async function startWithCodes(
  { ACCOUNT, ...input }: UncheckedSettings = {},
  options: Parameters<typeof startAuth>[1] = {},
) {
  const auth = await startAuth({ ...input, ACCOUNT: { ...BY_CODE, ...ACCOUNT } }, options)
  await auth.createUser({ username: 'ada', email: ADA, verified: true })
  return { ...auth, ...codesIn(auth) }
}

export function codesIn(auth: StartedAuth) {
  const { request, mail } = auth
  /** Returns the session. */
  const ask = async (given: object = { email: ADA }, options: CallOptions = {}) => {
    const reply = await request.post('login/code/', given, options)
    expect(reply).toMatchReply(200, CODE_SENT)
    return (reply.body as { session_id: string }).session_id
  }
  const codeTo = async (to = ADA) => (await mail.newest('login-code', to)).values.code ?? ''
  return {
    ask,
    /** The code in the newest mail. */
    codeTo,
    /** Asks for a code and reads it. */
    begin: async (to = ADA) => {
      auth.clock.advance(1)
      const session_id = await ask({ email: to })
      return { session_id, code: await codeTo(to) }
    },
    confirm: (body: object, options?: CallOptions) =>
      request.post('login/code/confirm/', body, options),
  }
}

/** Another code of six digits. */
export const otherThan = (code: string): string =>
  code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
