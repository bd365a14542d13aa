import { expect, test } from 'vitest'
import type { LetterName } from '../../src/kernel/letter-names.ts'
import type { MailSender } from '../../src/mailer/host-transport.ts'
import { readLanguage } from '../../src/settings/words-files.ts'
import { requestReset } from '../support/accounts.ts'
import { BY_USERS } from '../support/invitations.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const SEVERAL = {
  LANGUAGES: ['en', 'de', 'fr'],
  MODULES: ['registration', 'pages'],
  REST_AUTH: { USER_DETAILS_SERIALIZER: { fields: ['username', 'language'] } },
}

const HOST = { kind: 'host', name: 'test', may: 'all' } as const

const form = (username: string, more: object = {}) => ({
  ...{ username, email: `${username}@example.com`, password1: PASSWORD, password2: PASSWORD },
  ...more,
})
const accepting = (language: string) => ({ headers: { 'accept-language': language } })

async function start(input: object = SEVERAL) {
  const sent: string[] = []
  const mail: MailSender = {
    async send({ subject }) {
      sent.push(subject)
    },
  }
  const started = await startAuth(input, { mail })
  const { services, connection } = started.auth
  const languageOf = async (name: string) => (await started.findUser(name)).language
  /** The subjects of the letters that went out, and nothing more. */
  const delivered = async () => {
    await services.delivery.deliverDue()
    return sent.splice(0)
  }
  return { ...started, services, connection, languageOf, delivered }
}

const subject = (code: string, letter: LetterName) =>
  readLanguage(code, { WORDS_DIR: null }).words.letters[letter].subject.replace(
    '{site}',
    'localhost',
  )

test('the language is kept from sign-up: as sent, else as the browser asks', async () => {
  const { request, languageOf } = await start()
  await request.post('registration/', form('ada', { language: 'DE' }), accepting('fr'))
  expect(await languageOf('ada')).toBe('de')
  await request.post('registration/', form('alan', { language: 'de-AT' }))
  expect(await languageOf('alan')).toBe('de')
  await request.post('registration/', form('bob'), accepting('fr-CA, en;q=0.5'))
  expect(await languageOf('bob')).toBe('fr')
  await request.post('registration/', form('eve'), accepting('xh'))
  expect(await languageOf('eve')).toBe(null)
})

test('another language is refused, and nobody is registered', async () => {
  const { request, connection } = await start()
  const { status, body } = await request.post('registration/', form('ada', { language: 'ru' }))
  expect([status, body]).toEqual([400, { language: ['"ru" is not a valid choice.'] }])
  expect(await connection.db.selectFrom('users').select('id').execute()).toEqual([])
})

test('with one language none is kept, and the field is ignored as before', async () => {
  const { request, languageOf } = await start({ MODULES: ['registration'] })
  await request.post('registration/', form('ada', { language: 'ru' }), accepting('de'))
  expect(await languageOf('ada')).toBe(null)
})

test('a field of the deployment with this name stays theirs', async () => {
  const { request, languageOf } = await start({
    ...SEVERAL,
    USER_FIELDS: { language: { type: 'string', signup: true } },
  })
  const { status } = await request.post(
    'registration/',
    form('ada', { language: 'Elvish' }),
    accepting('de'),
  )
  expect(status).toBe(201)
  expect(await languageOf('ada')).toBe('de')
})

test('user/ shows and changes it', async () => {
  const { request, createUserWithToken, languageOf } = await start()
  const token = await createUserWithToken('ada')
  expect((await request.get('user/', { token })).body).toEqual({ username: 'ada', language: null })
  const changed = await request.patch('user/', { language: 'fr' }, { token })
  expect(changed.body).toEqual({ username: 'ada', language: 'fr' })
  for (const language of ['ru', '', null, ['de'], 'x'.repeat(100)]) {
    expect((await request.patch('user/', { language }, { token })).status, String(language)).toBe(
      400,
    )
  }
  expect(await languageOf('ada')).toBe('fr')
})

test('operators set it like a name, to one that is offered', async () => {
  const { auth, createUser, delivered, languageOf } = await start()
  const user = { username: 'ada', email: 'ada@example.com', verified: true }
  const { id: pk } = await createUser(user)
  const call = (name: 'users.update' | 'users.sendReset', input: object) =>
    auth.services.operations.call(HOST, name, { pk, ...input })
  expect(await call('users.update', { language: 'DE' })).toMatchObject({ language: 'de' })
  await call('users.sendReset', {})
  expect(await delivered()).toEqual([subject('de', 'reset-password')])
  for (const language of ['ru', '', null]) {
    await expect(call('users.update', { language }), String(language)).rejects.toMatchObject({
      status: 400,
      body: { language: [{}] },
    })
  }
  expect(await languageOf('ada')).toBe('de')
})

test('letters are in the language of the reader, whoever caused them and whenever they go', async () => {
  const { request, delivered, findUser, connection } = await start()
  await request.post('registration/', form('ada', { language: 'de' }))
  expect(await delivered()).toEqual([subject('de', 'verify-email')])

  const asksReset = () =>
    request.post('password/reset/', { email: 'ada@example.com' }, accepting('fr'))
  await asksReset()
  expect(await delivered()).toEqual([subject('de', 'reset-password')])

  // The language at the time of delivery counts.
  await asksReset()
  const { id } = await findUser('ada')
  await connection.db.updateTable('users').set({ language: 'fr' }).where('id', '=', id).execute()
  expect(await delivered()).toEqual([subject('fr', 'reset-password')])

  // A language that is no longer offered is the usual one.
  await asksReset()
  await connection.db.updateTable('users').set({ language: 'ru' }).where('id', '=', id).execute()
  expect(await delivered()).toEqual([subject('en', 'reset-password')])
})

test('letters that somebody else causes are in the language of their reader, too', async () => {
  const {
    request,
    services,
    createUser,
    createUserWithToken,
    findUser,
    delivered,
    administration,
  } = await start()
  const bea = await createUser({ username: 'bea', email: 'bea@example.com', verified: true })
  const french = await services.users.change(bea, { language: 'fr' })
  const token = await createUserWithToken('ada')
  await services.users.change(await findUser('ada'), { language: 'de' })

  await request.post('registration/', form('eve', { email: 'bea@example.com' }), accepting('de'))
  expect(await delivered()).toEqual([subject('fr', 'already-registered')])

  const wanted = { email: 'bea@example.com', password: PASSWORD }
  await request.post('email/change/', wanted, { ...accepting('de'), token })
  expect((await delivered()).sort()).toEqual(
    [subject('fr', 'address-wanted'), subject('de', 'email-change-requested')].sort(),
  )

  await administration.sendReset(french)
  expect(await delivered()).toEqual([subject('fr', 'reset-password')])
})

test('the last letter knows the language of an account that is gone', async () => {
  const { services, createUser, delivered, administration } = await start()
  const ada = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const changed = await services.users.change(ada, { language: 'de' })
  await administration.remove(changed)
  expect(await delivered()).toEqual([subject('de', 'account-deleted')])
})

test('pages of somebody who is signed in speak their language, and say so', async () => {
  const started = await start()
  const { services, createUser, logInBrowser, newBrowser } = started
  const ada = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  await services.users.change(ada, { language: 'de' })
  const browser = await logInBrowser('ada')
  const { link } = await requestReset(started, 'ada@example.com')
  for (const path of [
    '/account/',
    '/account/confirm/void',
    '/account/invitation/void',
    '/account/password/reset/void/void',
    '/auth/registration/account-email-verification-sent/',
    new URL(link).pathname,
  ]) {
    const own = await browser.get(path, accepting('fr'))
    expect(own.body, path).toContain('<html lang="de">')
    expect(own.headers['content-language']).toBe('de')
    expect(own.headers.vary).toBe('Accept-Language, Cookie')
    const strange = await newBrowser().get(path, accepting('fr'))
    expect(strange.body, path).toContain('<html lang="fr">')
  }
})

test('an invitation speaks the language of the user who sends it: its reader has none yet', async () => {
  const { request, delivered, createUserWithToken, db } = await start({
    ...SEVERAL,
    ...BY_USERS,
  })
  const token = await createUserWithToken('ada')
  await db.updateTable('users').set({ language: 'de' }).execute()
  await request.post('invitations/', { email: 'bob@example.com' }, { token, ...accepting('fr') })
  expect(await delivered()).toEqual([subject('de', 'invitation')])
})
