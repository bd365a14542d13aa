import { createHmac, hkdfSync } from 'node:crypto'
import { clientAt, newAddress } from './client.js'

const TEN_YEARS_MS = 10 * 365 * 86_400_000
const HALF_AN_HOUR_MS = 30 * 60_000
const PASSWORD = 'forged by a stranger'

/** A token for a user who never logged in, as the service would sign it with that key. */
function forge(secret, { id, email }, lifetimeMs) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'latchkey/password-reset', 32))
  const end = (Date.now() + lifetimeMs).toString(36)
  const signed = JSON.stringify([id, 0, null, email, end])
  return `${end}-${createHmac('sha256', key).update(signed).digest('hex').slice(0, 32)}`
}

/** The last one shows that the token would be accepted if the current key had signed it. */
export const forgedToken = {
  name: 'a reset token that a leaked former key signed',
  async run({ url, secretKey, formerKey, createUser }) {
    const email = 'felix@example.com'
    const id = await createUser('felix', '--email', email)
    const client = clientAt(url, newAddress())
    const passwords = { new_password1: PASSWORD, new_password2: PASSWORD }
    const tryToken = (secret, lifetimeMs) =>
      client.post('password/reset/confirm/', {
        uid: id.toString(36),
        token: forge(secret, { id, email }, lifetimeMs),
        ...passwords,
      })
    const forged = [
      await tryToken(formerKey, TEN_YEARS_MS),
      await tryToken(formerKey, HALF_AN_HOUR_MS),
      await tryToken(secretKey, TEN_YEARS_MS),
    ]
    const real = await tryToken(secretKey, HALF_AN_HOUR_MS)
    return {
      passed: forged.every(({ status }) => status === 400) && real.status === 200,
      figure: `former key: ${forged[0].status}, ${forged[1].status}; ten years: ${forged[2].status}; the key in use: ${real.status}`,
    }
  },
}
