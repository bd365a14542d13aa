import { totpCode } from '../torture/parts/totp.js'
import { PASSWORD } from './before.js'
import { check, checkAnswer, say } from './report.js'

/** What front ends hold since the days of Django. */
export async function tryCredentials({ client, held }) {
  say('\n5. Live credentials, after the flip')
  const { token, ada, cora, secret, codes } = held
  checkAnswer('token key', await client.get('user/', { token }), 200, 'latchkey')
  checkAnswer('access token', await client.get('user/', { access: ada.access }), 200)
  const cookies = ada.cookies
  checkAnswer('session', await client.get('user/', { cookies }), 200)
  const bare = { cookies: { sessionid: cookies.sessionid } }
  const csrfless = await client.post('password/change/', {}, bare)
  checkAnswer('session without its CSRF token', csrfless, 403)
  const csrf = await client.post('password/change/', {}, { cookies })
  checkAnswer('session with the CSRF token of Django', csrf, 400)
  const renewed = await client.post('token/refresh/', { refresh: ada.refresh })
  checkAnswer('refresh token', renewed, 200)
  const spent = await client.post('token/refresh/', { refresh: ada.refresh })
  checkAnswer('refresh token, a second time', spent, 401)
  const ended = await client.post('token/refresh/', { refresh: cora.refresh })
  checkAnswer('refresh token that was ended at Django', ended, 401)

  checkAnswer('password', await client.login('ada@example.com', PASSWORD), 200)
  checkAnswer('former password of cora', await client.login('cora', PASSWORD), 400)
  checkAnswer('new one of cora', await client.login('cora', 'the second one of cora'), 200)
  checkAnswer('somebody who came between the imports', await client.login('fay', PASSWORD), 200)
  checkAnswer('gus, as here', await client.login('gus', 'the one of gus at Latchkey'), 200)

  checkAnswer('authenticator app', await secondStep(client, totpCode(secret)), 200)
  checkAnswer('recovery code', await secondStep(client, codes[0]), 200)
  checkAnswer('recovery code, a second time', await secondStep(client, codes[0]), 400)

  const passwords = { new_password1: 'dan has reset it', new_password2: 'dan has reset it' }
  const reset = ([uid, resetToken]) =>
    client.post('password/reset/confirm/', { uid, token: resetToken, ...passwords })
  checkAnswer('reset link from before a login', await reset(held.reset), 400)
  checkAnswer('reset link of Django', await reset(held.late), 200)
  checkAnswer('reset link, a second time', await reset(held.late), 400)
  checkAnswer('password of the reset', await client.login('dan', 'dan has reset it'), 200)
  const confirm = () => client.post('registration/verify-email/', { key: held.emailKey[0] })
  checkAnswer('link that confirms an address', await confirm(), 200)
}

async function secondStep(client, code) {
  const { body } = await client.login('ben', PASSWORD)
  if (!body.mfa_required) throw new Error('The second factor is not asked for.')
  return client.post('mfa/verify/', { ephemeral_token: body.ephemeral_token, code })
}

/** A day at Latchkey, so that there is something to take back. */
export async function liveHere({ client, latchkey, held }) {
  say('\n6. A day at Latchkey')
  const { body: ada } = await client.login('ada', PASSWORD)
  checkAnswer('ada changes the password', await client.changePassword('ada at Latchkey', ada), 200)
  const hal = await client.register('hal', PASSWORD)
  checkAnswer('hal registers', hal, 201)
  held.hal = hal.body.user.pk
  check('with a pk that Django will not give out', held.hal > 1_000_000, held.hal)

  const { body: eve } = await client.login('eve', PASSWORD)
  const wish = { email: 'eve@new.example.com', password: PASSWORD }
  checkAnswer('eve wants another address', await client.post('email/change/', wish, eve), 200)
  const [key] = await latchkey.mailed('eve@new.example.com', /email\/confirm\/([\w-]+)/)
  checkAnswer('and confirms it', await client.post('email/change/confirm/', { key }), 200)
}
