import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { signup, verificationKey } from '../../support/accounts.ts'
import { UNAVAILABLE } from '../../support/answers.ts'
import { BROWSER, FORM } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const APP = { client_id: 'x', secret: 'a secret' }
const LIMITED = {
  REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '1/m' } },
  SOCIALACCOUNT: { PROVIDERS: { google: { APP } } },
}
const GERMAN = { headers: { accept: 'text/html', 'accept-language': 'de' } }

test('people who open a link too often get a page in their language, and programs get JSON', async () => {
  const { request } = await startAuth(LIMITED)
  expect((await request.get('csrf/')).status).toBe(200)
  for (const path of ['confirm/x', 'invitation/x', 'go/google', 'password/reset/x/y']) {
    const page = await request.get(`/account/${path}`, GERMAN)
    expect([page.status, page.headers['retry-after']], path).toEqual([429, '60'])
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'de',
    })
    expect(page.body).toContain('<html lang="de">')
    expect(page.body).toContain('Zu viele Anfragen. Bitte versuchen Sie es in 60 Sekunden')
    for (const accept of ['*/*', 'application/json']) {
      const answer = await request.get(`/account/${path}`, { headers: { accept } })
      expect(answer, path).toBeThrottled(60)
      expect(answer.headers['content-type']).toBe('application/json')
    }
  }
  // The API says the same to everybody.
  expect(await request.get('csrf/', BROWSER)).toBeThrottled(60)
})

test('an API below the pages is no page', async () => {
  const paths = { PAGES_PREFIX: '/', AUTH_PREFIX: '/auth/' }
  const { request } = await startAuth({ ...LIMITED, ...paths })
  expect((await request.get('csrf/')).status).toBe(200)
  expect(await request.get('csrf/', BROWSER)).toBeThrottled(60)
  expect((await request.get('/confirm/x', BROWSER)).body).toContain('<html lang="en">')
})

test('an outage is a page, too, and the link works afterwards', async () => {
  const started = await startAuth({}, { shared: true })
  const { request, db } = started
  await request.post('registration/', signup('ada'))
  const path = `/account/confirm/${await verificationKey(started, 'ada@example.com')}`
  const press = (options = {}) => request.post(path, '', { type: FORM, ...options })
  await sql.raw('pragma query_only = on').execute(db)
  const page = await press(BROWSER)
  expect([page.status, page.headers['retry-after']]).toEqual([503, '5'])
  expect(page.body).toContain(`<p>${UNAVAILABLE.detail}</p>`)
  expect(await press()).toMatchReply(503, UNAVAILABLE)
  await sql.raw('pragma query_only = off').execute(db)
  expect((await press(BROWSER)).status).toBe(200)
})
