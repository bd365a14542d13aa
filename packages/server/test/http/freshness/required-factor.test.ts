import { expect, test } from 'vitest'
import { callOne, EVERYTHING, SIGNED_IN } from '../../support/freshness.ts'
import { modes } from '../../support/modes.ts'
import { DUE, isDue, setUpFactor, startRequired } from '../../support/required-factor.ts'

// The rule itself, and when it begins, is in product/mfa/required.test.ts. This is every endpoint in
// every mode, which is decided before the endpoint reads anything.

/** What a user who must set up a second factor may still call. */
const ALLOWED = [
  'GET user/',
  'GET mfa/status/',
  'GET mfa/totp/activate/',
  'POST mfa/totp/activate/',
  'POST reauthenticate/',
]

test.each(modes)(
  '%s mode: a login answers as usual, and can only set up a factor, log out and see user/',
  async (mode) => {
    const started = await startRequired(mode, { ...EVERYTHING, MFA_REQUIRED: 'all' })
    const ada = await started.logIn()
    expect(ada.reply.status).toBe(mode === 'session' ? 204 : 200)
    const before = await started.findUser('ada')
    for (const [endpoint, { status }] of Object.entries(SIGNED_IN)) {
      const { status: got, body } = await callOne(ada, endpoint)
      if (ALLOWED.includes(endpoint)) expect([endpoint, got]).toEqual([endpoint, status])
      else expect([endpoint, got, body]).toEqual([endpoint, ...DUE])
    }
    expect({ ...(await started.findUser('ada')) }).toEqual(before)
    expect(await isDue(ada)).toBe(true)
    expect((await (await started.logIn()).post('logout/')).status).toBe(200)

    const other = await started.logIn()
    await setUpFactor(started, other)
    expect(await isDue(other)).toBe(false)
    expect((await other.get('sessions/')).status).toBe(200)
    expect(await (await started.logIn()).reply.body).toMatchObject({ mfa_required: true })
  },
)
