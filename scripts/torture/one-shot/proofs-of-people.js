import { createAuthenticator } from '../parts/authenticator.js'
import { totpCode } from '../parts/totp.js'
import { PASSWORD } from '../parts/visitors.js'

/** What people show to log in, or to prove again who they are. */
export const proofsOfPeople = [
  {
    name: 'code of an authenticator app',
    async make(people) {
      const { access, secret } = await people.withTotp()
      return { access, code: totpCode(secret, { now: people.now() }) }
    },
    use: (people, { access, code }, i) =>
      people.ask('POST', 'reauthenticate/', { body: { code }, access, i }),
  },
  {
    name: 'recovery code',
    make: async (people) => people.withTotp(),
    use: (people, { access, recovery_codes: [code] }, i) =>
      people.ask('POST', 'reauthenticate/', { body: { code }, access, i }),
  },
  {
    name: 'second step of a login',
    async make(people) {
      const { username, recovery_codes } = await people.withTotp()
      const body = { username, password: PASSWORD }
      const { ephemeral_token } = await people.need('POST', 'login/', { body })
      return { ephemeral_token, recovery_codes }
    },
    use(people, { ephemeral_token, recovery_codes }, i) {
      const body = { ephemeral_token, code: recovery_codes[i % recovery_codes.length] }
      return people.ask('POST', 'mfa/verify/', { body, i })
    },
  },
  {
    name: 'activation of an authenticator app',
    async make(people) {
      const { access } = await people.signedIn()
      const offer = await people.need('GET', 'mfa/totp/activate/', { access })
      const { activation_token, secret } = offer
      return { access, body: { activation_token, code: totpCode(secret, { now: people.now() }) } }
    },
    use: (people, { access, body }, i) =>
      people.ask('POST', 'mfa/totp/activate/', { body, access, i }),
  },
  {
    name: 'challenge of a new passkey',
    async make(people) {
      const { access } = await people.signedIn()
      const options = await people.need('POST', 'passkeys/register/begin/', { body: {}, access })
      return { access, options }
    },
    use(people, { access, options }, i) {
      const body = { credential: createAuthenticator(people.origin).create(options) }
      return people.ask('POST', 'passkeys/register/complete/', { body, access, i })
    },
  },
  {
    name: 'challenge of a login by passkey',
    async make(people) {
      const { authenticator } = await people.withPasskey()
      const options = await people.need('POST', 'passkeys/login/begin/', { body: {} })
      return { session_id: options.session_id, credential: authenticator.get(options) }
    },
    use: (people, body, i) => people.ask('POST', 'passkeys/login/complete/', { body, i }),
  },
  {
    name: 'sign-up by passkey',
    async make(people, { round }) {
      const username = `keyholder${round}`
      const body = { username, email: `${username}@example.com` }
      const options = await people.need('POST', 'passkeys/signup/begin/', { body })
      const credential = createAuthenticator(people.origin).create(options)
      return { session_id: options.session_id, credential }
    },
    use: (people, body, i) => people.ask('POST', 'passkeys/signup/complete/', { body, i }),
  },
  {
    name: 'refresh token',
    make: (people) => people.signedIn(),
    use: (people, { refresh }, i) => people.ask('POST', 'token/refresh/', { body: { refresh }, i }),
  },
  {
    name: 'code of an identity provider',
    make: async (people, { round }) => ({ code: people.idp.codeOf(`visitor-${round}`) }),
    use: (people, body, i) => people.ask('POST', 'acme/', { body, i }),
  },
]
