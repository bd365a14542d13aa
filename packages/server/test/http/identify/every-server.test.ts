import { describe, expect, test } from 'vitest'
import type { AuthOptions, SettingsInput } from '../../../src/index.ts'
import { type Asker, askers } from '../../support/askers.ts'
import { ADA, callerOf, embed, PASSWORD, SIGNUP } from '../../support/embed.ts'

const NOBODY = { user: null }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const EVIL = { origin: 'https://evil.example' }

/** A visitor who has just registered, and is logged in, and somebody without their cookies. */
async function start(asker: Asker, input: SettingsInput = {}, options: AuthOptions = {}) {
  const { auth } = await embed(input, options)
  const send = await asker.start(auth)
  const browser = callerOf(send, asker)
  const { body, setCookies } = await browser.post('registration/', SIGNUP)
  const cookies = setCookies.map((line) => line.split(';')[0] ?? '')
  return { auth, browser, stranger: callerOf(send, asker), send, login: body, cookies }
}

const by = (authorization: string) => ({ authorization })

describe.each(askers)('in $name', (asker) => {
  test('every kind of credential tells who is asking, and how they logged in', async () => {
    const REST_AUTH = { USE_JWT: true, JWT_AUTH_HTTPONLY: false }
    const token = await start(asker)
    const jwt = await start(asker, { REST_AUTH: { ...REST_AUTH, JWT_AUTH_COOKIE: 'access' } })
    const found = [
      await token.stranger.get('/who', by(`Token ${token.login.key}`)),
      await token.browser.get('/who'),
      await jwt.stranger.get('/who', by(`Bearer ${jwt.login.access}`)),
      await jwt.stranger.get('/who', { cookie: `access=${jwt.login.access}` }),
    ]
    const [byKey, ...others] = found.map(({ status, body }) => {
      expect(status).toBe(200)
      expect(body.user).toMatchObject({ pk: 1, ...ADA, first_name: '', groups: [], fields: {} })
      expect(JSON.stringify(body)).not.toMatch(/password|argon2|digest/)
      return body.user.login
    })
    const time = expect.stringMatching(/^20.*Z$/)
    expect(byKey).toMatchObject({ via: 'token', id: null, expiresAt: null, claims: null })
    expect(others.map(({ via }) => via)).toEqual(['session', 'jwt', 'jwt'])
    for (const login of others) {
      expect(login).toMatchObject({
        id: '1',
        isFresh: true,
        authenticatedAt: time,
        expiresAt: time,
      })
    }
    expect(others[1].claims).toMatchObject({ token_type: 'access', user_id: '1', sid: '1' })
    const [listed] = (await jwt.stranger.get('sessions/', by(`Bearer ${jwt.login.access}`))).body
    expect(listed.id).toBe(others[1].id)
  })

  test('whoever brings nothing, or something bad, is nobody', async () => {
    const { stranger, login, cookies, browser } = await start(asker)
    const cookie = cookies.join('; ')
    for (const headers of [
      {},
      by(''),
      by('Token'),
      by('Token wrong'),
      by(`Token ${'f'.repeat(40)}`),
      by(`Bearer ${login.key}`),
      by(`Basic ${login.key}`),
      { cookie: 'sessionid=made-up' },
      // A header wins, also over a good cookie.
      { cookie, ...by('Token wrong') },
      { cookie, ...by('Basic x') },
    ]) {
      expect((await stranger.get('/who', headers)).body).toEqual(NOBODY)
      expect((await stranger.get('/with', headers)).body).toEqual(NOBODY)
    }
    await browser.post('logout/', {})
    expect((await stranger.get('/who', by(`Token ${login.key}`))).body).toEqual(NOBODY)
    expect((await stranger.get('/who', { cookie })).body).toEqual(NOBODY)
  })

  test('a cookie counts on an unsafe method only with its CSRF token, and from our own pages', async () => {
    const { stranger, browser, login, cookies } = await start(asker)
    const cookie = cookies.join('; ')
    const other = cookies.map((one) => one.replace(/^(csrftoken=).*/, '$1x.y')).join('; ')
    const token = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? ''
    const found = { user: expect.objectContaining(ADA) }
    for (const headers of [
      { cookie },
      { cookie, 'x-csrftoken': 'x.y' },
      { cookie: other, 'x-csrftoken': 'x.y' },
      { cookie, 'x-csrftoken': token, ...EVIL },
      { cookie, 'x-csrftoken': token, referer: 'https://evil.example/page' },
      { cookie, 'x-csrftoken': token, origin: 'null' },
    ]) {
      expect((await stranger.post('/who', {}, headers)).body).toEqual(NOBODY)
      expect((await stranger.post('/mine', {}, headers)).status).toBe(403)
    }
    expect((await browser.post('/who', {})).body).toEqual(found)
    expect((await browser.post('/mine', {})).body).toEqual(found)
    const own = { cookie, 'x-csrftoken': token, origin: 'http://localhost:8000' }
    expect((await stranger.post('/who', {}, own)).body).toEqual(found)
    // A page cannot add this header, so no other site can have sent it.
    const key = by(`Token ${login.key}`)
    expect((await stranger.post('/who', {}, { ...key, ...EVIL })).body).toEqual(found)

    const form = await stranger.post('/who', `csrfmiddlewaretoken=${token}`, { ...FORM, cookie })
    expect(form.body).toEqual(asker.readsForms ? found : NOBODY)
    const wrong = await stranger.post('/who', 'csrfmiddlewaretoken=x', { ...FORM, cookie })
    expect(wrong.body).toEqual(NOBODY)
    const guarded = await stranger.post('/mine', 'csrfmiddlewaretoken=x', { ...FORM, cookie })
    expect(guarded.status).toBe(403)
  })

  test('who may not pass is answered as our own endpoints answer', async () => {
    const { stranger, browser, login, cookies } = await start(asker)
    for (const headers of [
      {},
      by('Token'),
      by('Token a b'),
      by('Token wrong'),
      by('Basic x'),
      { cookie: 'sessionid=made-up' },
    ]) {
      const [here, ours] = [
        await stranger.get('/mine', headers),
        await stranger.get('user/', headers),
      ]
      expect([here.status, here.body]).toEqual([ours.status, ours.body])
      for (const name of ['www-authenticate', 'cache-control', 'content-type']) {
        expect(here.headers.get(name)).toBe(ours.headers.get(name))
      }
      expect(here.headers.get('vary')).toBe('Authorization, Cookie')
      expect((await stranger.get('/fresh', headers)).status).toBe(401)
    }
    const cookie = cookies.join('; ')
    const [here, ours] = [
      await stranger.post('/mine', {}, { cookie }),
      await stranger.call('PATCH', 'user/', {}, { cookie }),
    ]
    expect([here.status, here.body]).toEqual([ours.status, ours.body])
    expect(here.body).toEqual({ detail: 'CSRF Failed: CSRF token missing.' })

    const passed = await stranger.get('/mine', by(`Token ${login.key}`))
    expect(passed.body.user).toMatchObject(ADA)
    expect(passed.setCookies).toEqual([])
    expect((await browser.get('/with')).body.user).toMatchObject(ADA)
  })

  test('what is grave wants a fresh login', async () => {
    let now = Date.now()
    const clock = { now: () => now }
    const { browser } = await start(asker, {}, { clock })
    expect((await browser.get('/fresh')).body.user.login.isFresh).toBe(true)
    now += 300_000
    const stale = await browser.get('/fresh')
    expect([stale.status, stale.body]).toEqual([
      403,
      { detail: 'Recent authentication is required.', code: 'reauthentication_required' },
    ])
    expect((await browser.get('/mine')).body.user.login.isFresh).toBe(false)
    expect((await browser.post('reauthenticate/', { password: PASSWORD })).status).toBe(200)
    expect((await browser.get('/fresh')).body.user.login.isFresh).toBe(true)
  })
})
