import { describe, expect, test } from 'vitest'
import { ADA, callerOf, embed, FORM, PAGE, PASSWORD, SIGNUP } from '../../support/embed.ts'
import { hosts } from '../../support/hosts.ts'
import { COOKIES } from '../../support/jwt.ts'

const CREDENTIALS = { ...ADA, password: PASSWORD }

describe.each(hosts)('in $name', (host) => {
  async function start(...[settings]: Parameters<typeof embed>) {
    const embedded = await embed({ ...host.settings, ...settings })
    const send = await host.start(embedded.auth)
    return { ...embedded, send, ...callerOf(send, host) }
  }

  test('a user registers, follows the link in the mail, logs in and out', async () => {
    const { get, post, link } = await start({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
    expect((await post('registration/', SIGNUP)).status).toBe(201)
    const early = await post('login/', CREDENTIALS)
    expect(early.body).toEqual({ non_field_errors: ['E-mail is not verified.'] })

    const { href, pathname } = new URL(await link('/confirm/'))
    expect(href).toContain(`http://localhost:8000${host.pages}confirm/`)
    expect((await get(pathname, PAGE)).body).toContain(ADA.email)
    expect((await post(pathname, '', FORM)).status).toBe(200)

    const login = await post('login/', CREDENTIALS)
    expect([login.status, login.body]).toEqual([200, { key: expect.any(String) }])
    expect(login.setCookies).toHaveLength(2)
    expect((await get('user/')).body).toMatchObject({ pk: 1, ...ADA })
    expect((await post('logout/', {})).status).toBe(200)
    expect((await get('user/')).status).toBe(401)
  })

  test('a password is reset by the page that the mail leads to', async () => {
    const { get, post, link } = await start()
    await post('registration/', SIGNUP)
    expect((await post('password/reset/', { email: ADA.email })).status).toBe(200)
    const { pathname } = new URL(await link('/password/reset/'))
    expect(pathname.startsWith(`${host.pages}password/reset/`)).toBe(true)
    expect((await get(pathname, PAGE)).body).toContain('<form')

    const password = 'Another-5566-lantern'
    const form = `new_password1=${password}&new_password2=${password}`
    expect((await post(pathname, form, FORM)).status).toBe(200)
    expect((await post('login/', { ...ADA, password })).status).toBe(200)
    expect((await post('login/', CREDENTIALS)).status).toBe(400)
  })

  test('every kind of credential works', async () => {
    const { send, post } = await start({
      REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, JWT_AUTH_COOKIE_USE_CSRF: true, ...COOKIES },
    })
    const { body, setCookies } = await post('registration/', SIGNUP)
    expect(setCookies.map((line) => line.split('=')[0]).toSorted()).toEqual(
      ['csrftoken', 'jwt-auth', 'jwt-refresh', 'sessionid'].toSorted(),
    )
    const cookie = (name: string) => setCookies.find((line) => line.startsWith(`${name}=`)) ?? ''
    const headers = [
      { authorization: `Bearer ${body.access}` },
      { cookie: cookie('jwt-auth').split(';')[0] ?? '' },
      { cookie: cookie('sessionid').split(';')[0] ?? '' },
    ]
    for (const one of headers) {
      const answer = await send(`${host.api}user/`, { headers: one })
      expect(await answer.json()).toMatchObject(ADA)
    }
    // From the cookies, and with the token that the caller sends along.
    const refreshed = await post('token/refresh/')
    expect([refreshed.status, refreshed.body.access]).toEqual([200, expect.any(String)])
    const logout = await post('logout/')
    expect(logout.setCookies.filter((line) => /Max-Age=0/.test(line)).length).toBeGreaterThan(2)
  })
})
