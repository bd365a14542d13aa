import { totpCode } from '../parts/totp.js'
import { PASSWORD } from '../parts/visitors.js'

const CHANGED = 'Changed-4411-canary'
const RESET = 'Reset-9922-canary'

/**
 * Somebody goes through every flow. Returns what nobody but them may know, by name: passwords, links, codes and
 * credentials as they were sent or shown.
 */
export async function everyFlow(people, { tokenPeople, invited }) {
  const canaries = { 'first password': PASSWORD }
  const person = await people.create({ verified: false })
  const keep = (values) => Object.assign(canaries, values)
  const { email, username } = person

  await people.need('POST', 'registration/resend-email/', { body: { email } })
  const [key] = await people.mailed('confirm', email)
  await people.need('POST', 'registration/verify-email/', { body: { key } })
  const first = await people.ask('POST', 'login/', { body: { username, password: PASSWORD } })
  const { access, refresh } = first.body
  const session = /sessionid=([^;]+)/.exec(String(first.headers['set-cookie']))[1]
  keep({ 'key of an address': key, access, refresh, session })
  await people.ask('POST', 'login/', { body: { username, password: 'Wrong-7733-canary' } })
  keep({ 'wrong password': 'Wrong-7733-canary' })

  const token = await tokenPeople.need('POST', 'login/', { body: { username, password: PASSWORD } })
  const apiKey = await people.need('POST', 'tokens/', {
    ...{ body: { name: 'program', scopes: ['user:read'] }, access },
  })
  await people.ask('GET', 'user/', { headers: { authorization: `Token ${apiKey.key}` } })
  keep({ 'token key': token.key, 'api key': apiKey.key })

  const body = { new_password1: CHANGED, new_password2: CHANGED, old_password: PASSWORD }
  await people.need('POST', 'password/change/', { body, access })
  const link = await people.resetLink(person)
  const unused = await people.resetLink(person)
  const passwords = { new_password1: RESET, new_password2: RESET }
  await people.need('POST', 'password/reset/confirm/', { body: { ...link, ...passwords } })
  keep({ 'changed password': CHANGED, 'reset password': RESET })
  keep({ 'used reset token': link.token, 'reset token': unused.token })

  const { session_id } = await people.need('POST', 'login/code/', { body: { email } })
  const [code] = await people.mailed('code', email)
  const again = await people.need('POST', 'login/code/confirm/', { body: { session_id, code } })
  keep({ 'session of a code': session_id, 'login code': code })

  const factor = await secondFactor(people, again.access, username)
  keep(factor.canaries)
  const change = { body: { email: `new-${email}`, password: RESET }, access: factor.access }
  await people.need('POST', 'email/change/', change)
  const [changeKey] = await people.mailed('change', `new-${email}`)
  keep({ 'key of a new address': changeKey })

  keep({ invitation: await invited.invitation(`guest${person.pk}@example.com`) })
  const providerCode = people.idp.codeOf(`elsewhere-${username}`)
  await people.need('POST', 'acme/connect/', {
    body: { code: providerCode },
    access: factor.access,
  })
  keep({ 'code of a provider': providerCode })
  const proof = { password: RESET, code: factor.spareCode }
  return { person, canaries, access: factor.access, proof }
}

/** Activates an authenticator app, and logs in with one of its recovery codes. */
async function secondFactor(people, access, username) {
  const offer = await people.need('GET', 'mfa/totp/activate/', { access })
  const { secret, activation_token } = offer
  const activated = { activation_token, code: totpCode(secret) }
  const { recovery_codes } = await people.need('POST', 'mfa/totp/activate/', {
    ...{ body: activated, access },
  })
  const login = { username, password: RESET }
  const { ephemeral_token } = await people.need('POST', 'login/', { body: login })
  const second = { ephemeral_token, code: recovery_codes[0] }
  const answer = await people.need('POST', 'mfa/verify/', { body: second })
  return {
    access: answer.access,
    spareCode: recovery_codes[2],
    canaries: {
      ...{ 'secret of an app': secret, 'activation token': activation_token },
      ...{ 'used recovery code': recovery_codes[0], 'recovery code': recovery_codes[1] },
      ...{ 'token of the second step': ephemeral_token, 'last access': answer.access },
    },
  }
}
