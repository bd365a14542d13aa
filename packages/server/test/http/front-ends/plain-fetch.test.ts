import { expect, test } from 'vitest'
import { verificationKey } from '../../support/accounts.ts'
import { FRONT_END, startForProject } from '../../support/front-end.ts'
import { decode } from '../../support/jwt.ts'

/*
 * Pages without a framework, served from another port, which call by the `fetch` of the platform. The
 * service listens, so that the requests are those that the platform really sends.
 */

const PROJECT = {
  SECRET_KEY: 'django-insecure-of-fifty-characters-as-django-made-it-x',
  INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
  REST_USE_JWT: true,
  ACCOUNT_EMAIL_REQUIRED: true,
  ACCOUNT_AUTHENTICATION_METHOD: 'email',
  ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
  ACCOUNT_USER_MODEL_USERNAME_FIELD: 'username',
  CORS_ORIGIN_WHITELIST: [FRONT_END],
}
const ADA = {
  username: 'ada',
  email: 'ada@example.com',
  ...{ password1: 'Nn-5566-yy-lantern', password2: 'Nn-5566-yy-lantern' },
}

test('they register, confirm, log in and read who they are out of the token', async () => {
  const started = await startForProject(PROJECT, { AUTH_PREFIX: '/users/dj-rest-auth/' })
  const address = await started.app.listen({ host: '127.0.0.1', port: 0 })
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/users/dj-rest-auth/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { origin: FRONT_END, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { response, body: (await response.json()) as Record<string, string> }
  }

  const registered = await call('registration/', ADA)
  expect(registered.response.status).toBe(201)
  expect(registered.response.headers.get('access-control-allow-origin')).toBe(FRONT_END)
  const login = { email: ADA.email, password: ADA.password1 }
  const early = await call('login/', login)
  expect(early.body).toEqual({ non_field_errors: ['E-mail is not verified.'] })

  const key = await verificationKey(started, ADA.email)
  expect((await call('registration/verify-email/', { key })).body).toEqual({ detail: 'ok' })
  const { body, response } = await call('login/', login)
  expect(response.ok).toBe(true)
  const { access_token = '', refresh_token } = body
  const { id } = await started.findUser('ada')
  expect(decode(access_token).claims.user_id).toBe(String(id))
  const authorization = `Bearer ${access_token}`
  expect((await call('user/', undefined, { authorization })).body).toMatchObject({ pk: id })
  const again = await call('token/refresh/', { refresh: refresh_token })
  expect(again.body.access_token).toEqual(expect.any(String))
})
