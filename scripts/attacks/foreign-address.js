import { clientAt, newAddress, signup } from './client.js'

const VERIFY_FIRST = 'Verify your e-mail address first.'
const NEW_PASSWORD = 'the owner chose this one'

/** Somebody registers with another person's address, and adds what would still work after a reset. */
const story = (what, username, add) => ({
  name: `an account under somebody else's address: ${what}`,
  async run({ url, linkTo }) {
    const attacker = clientAt(url, newAddress())
    const owner = clientAt(url, newAddress())
    const { body } = await attacker.post('registration/', signup(username))
    const added = await add(attacker, body.key)
    const isRefused = added.status === 400 && JSON.stringify(added.body).includes(VERIFY_FIRST)

    await owner.post('password/reset/', { email: `${username}@example.com` })
    const [, uid, token] = await linkTo(
      `${username}@example.com`,
      /\/password\/reset\/(\w+)\/([\w-]+)/,
    )
    const passwords = { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD }
    const reset = await owner.post('password/reset/confirm/', { uid, token, ...passwords })
    const login = await owner.post('login/', { username, password: NEW_PASSWORD })
    const asAttacker = await attacker.get('user/', body.key)

    const isOwners = reset.status === 200 && login.status === 200 && 'key' in login.body
    return {
      passed: isRefused && isOwners && asAttacker.status === 401,
      figure: `added: ${added.status}, owner after the reset: ${login.status}, attacker: ${asAttacker.status}`,
    }
  },
})

export const foreignAddress = [
  story('a passkey', 'olga', (client, key) => client.post('passkeys/register/begin/', {}, key)),
  story('a second factor', 'otto', (client, key) => client.get('mfa/totp/activate/', key)),
]
