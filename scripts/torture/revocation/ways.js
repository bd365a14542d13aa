import { totpCode } from '../parts/totp.js'
import { PASSWORD } from '../parts/visitors.js'

const NEW = { new_password1: 'Qq-7788-zz-harbour', new_password2: 'Qq-7788-zz-harbour' }
const OWN = ['own access', 'own session', 'own refresh']
const OTHER = ['other access', 'other session', 'other refresh']
const ALL = [...OWN, ...OTHER, 'token', 'api key']

const byOperator = (verb, body = {}) => ({
  name: `an operator: ${verb}`,
  ends: ALL,
  run: (people, { pk }) => people.operate(`users/${pk}/${verb}/`, body),
})

/** Every way to end credentials: which ones are refused afterwards. All others must still be good. */
export const ways = [
  {
    name: 'logout',
    ends: [...OWN, 'token'],
    run: (people, { access }) => people.need('POST', 'logout/', { body: {}, access }),
  },
  {
    name: 'logout with the refresh token',
    ends: OWN,
    run: (people, { refresh }) => people.need('POST', 'logout/', { body: { refresh } }),
  },
  {
    name: 'ending the other logins one by one',
    ends: OTHER,
    async run(people, { access }) {
      const logins = await people.need('GET', 'sessions/', { access })
      for (const { id } of logins.filter((one) => !one.current && one.method === 'password')) {
        await people.need('DELETE', `sessions/${id}/`, { access })
      }
    },
  },
  {
    name: 'ending the token',
    ends: ['token'],
    async run(people, { access }) {
      const logins = await people.need('GET', 'sessions/', { access })
      const { id } = logins.find((one) => one.method === 'token')
      await people.need('DELETE', `sessions/${id}/`, { access })
    },
  },
  {
    name: 'ending all others',
    ends: [...OTHER, 'token'],
    run: (people, { access }) => people.need('POST', 'sessions/end-others/', { body: {}, access }),
  },
  {
    name: 'a new password',
    ends: OTHER,
    run: (people, { access }) => people.need('POST', 'password/change/', { body: NEW, access }),
  },
  {
    name: 'a reset',
    ends: ALL,
    async run(people, person) {
      const link = await people.resetLink(person)
      await people.need('POST', 'password/reset/confirm/', { body: { ...link, ...NEW } })
    },
  },
  {
    name: 'a second factor',
    ends: [...OTHER, 'token'],
    async run(people, { access }) {
      const { secret, activation_token } = await people.need('GET', 'mfa/totp/activate/', {
        access,
      })
      const body = { activation_token, code: totpCode(secret) }
      await people.need('POST', 'mfa/totp/activate/', { body, access })
    },
  },
  {
    name: 'a refresh token that is used twice',
    ends: OWN,
    async run(people, { refresh }) {
      await people.need('POST', 'token/refresh/', { body: { refresh } })
      await people.ask('POST', 'token/refresh/', { body: { refresh }, i: 1 })
    },
  },
  {
    name: 'revoking the key of a program',
    ends: ['api key'],
    run: (people, { access, apiKeyId }) => people.need('DELETE', `tokens/${apiKeyId}/`, { access }),
  },
  {
    name: 'deleting the account',
    ends: ALL,
    run: (people, { access }) =>
      people.need('POST', 'account/delete/', { body: { password: PASSWORD }, access }),
  },
  byOperator('end-logins'),
  byOperator('deactivate'),
  byOperator('set-password', { password: 'Qq-7788-zz-harbour' }),
  {
    name: 'an operator: delete',
    ends: ALL,
    run: (people, { pk }) => people.operateBy('DELETE', `users/${pk}/`),
  },
]
