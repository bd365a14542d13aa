import { describe, expect, test } from 'vitest'
import { ADA, callerOf, embed, PASSWORD, SIGNUP } from '../../support/embed.ts'
import { hosts } from '../../support/hosts.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

describe.each(hosts)('in $name', (host) => {
  test('a user registers, follows the link in the mail, logs in and out', async () => {
    const { auth, link } = await embed({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
    const { get, post } = callerOf(await host.start(auth), host)

    expect((await post('registration/', SIGNUP)).status).toBe(201)
    const early = await post('login/', { ...ADA, password: PASSWORD })
    expect(early.body).toEqual({ non_field_errors: ['E-mail is not verified.'] })

    const url = new URL(await link('/confirm/'))
    expect(url.href).toContain(`http://localhost:8000${host.pages}confirm/`)
    const page = await get(url.pathname, { accept: 'text/html' })
    expect(page.body).toContain('ada@example.com')
    expect((await post(url.pathname, '', FORM)).status).toBe(200)

    const login = await post('login/', { ...ADA, password: PASSWORD })
    expect([login.status, login.body]).toEqual([200, { key: expect.any(String) }])
    expect(login.setCookies).toHaveLength(2)
    expect((await get('user/')).body).toMatchObject({ pk: 1, ...ADA })
    expect((await post('logout/', {})).status).toBe(200)
    expect((await get('user/')).status).toBe(401)
  })
})
