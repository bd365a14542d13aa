import { totpCode } from './totp.js'
import { ORIGIN, PASSWORD } from './visitors.js'

/**
 * The link by which an operator uses the account of a user: a new operator each time, who logs in at the admin pages with
 * an authenticator app. The proof of another would be too old after five minutes, and a code works once.
 */
export async function lendAccount(pk, { people, instance }) {
  const { username, secret } = await people.withTotp()
  await instance.command(['user', 'set', username, 'is_superuser=true'])
  const cookies = new Map()

  async function post(path, body) {
    const csrf = cookies.get('latchkey_admin_csrf') ?? ''
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { origin: ORIGIN, cookie, 'x-csrftoken': csrf }
    const reply = await people.ask('POST', `/admin/api/${path}`, { body, headers })
    if (reply.status >= 300) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`)
    for (const set of reply.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)
      cookies.set(name, value)
    }
    return reply.body
  }

  const { ephemeral_token } = await post('login/', { username, password: PASSWORD })
  await post('mfa/verify/', { ephemeral_token, code: totpCode(secret) })
  const { url } = await post(`users/${pk}/impersonate/`, { reason: 'A proof' })
  return new URL(url).pathname
}
