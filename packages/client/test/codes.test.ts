import { expect, test } from 'vitest'
import { sendJson, startLoopbackServer } from '../../server/test/support/loopback-server.ts'
import { AuthError, type ClientOptions, createClient } from '../src/index.ts'

/** A service that refuses everything with this body, the refusal of a call, and what was sent. */
async function refusedWith(body: unknown, options: Partial<ClientOptions> = {}) {
  const headers: Record<string, unknown>[] = []
  const server = await startLoopbackServer((request, response) => {
    headers.push(request.headers)
    sendJson(response, body, 400)
  })
  const client = createClient({ mode: 'token', url: server.url, ...options })
  const error = await client.login({ username: 'ada', password: 'x' }).catch((reason) => reason)
  if (!(error instanceof AuthError)) throw error
  return { error, headers, client }
}

test('codes stand beside the messages: of fields, of none, and of the whole request', async () => {
  const { error, headers } = await refusedWith({
    email: ['Das ist keine E-Mail-Adresse.'],
    non_field_errors: ['Nein.'],
    codes: { email: ['invalid_email'], non_field_errors: ['wrong_credentials'] },
  })
  expect(headers).toMatchObject([{ 'x-error-codes': '1' }])
  expect(error).toMatchObject({
    fields: { email: ['Das ist keine E-Mail-Adresse.'] },
    codes: {
      fields: { email: ['invalid_email'] },
      nonField: ['wrong_credentials'],
      detail: undefined,
    },
  })
  expect(Object.keys(error.fields)).toEqual(['email'])
  expect(error.has('invalid_email')).toBe(true)
  expect(error.has('wrong_credentials')).toBe(true)
  expect(error.has('email_taken')).toBe(false)

  const whole = await refusedWith({ detail: 'Nein.', codes: { detail: ['not_allowed'] } })
  expect(whole.error.codes).toEqual({ fields: {}, nonField: [], detail: 'not_allowed' })
  expect(whole.error.has('not_allowed')).toBe(true)
})

test('they move with the errors', async () => {
  const names = { nonFieldErrorsKey: 'general', errorsUnder: 'errors' }
  const codes = { general: ['wrong_credentials'] }
  const { error } = await refusedWith({ errors: { general: ['Nein.'], codes } }, names)
  expect(error.codes).toEqual({ fields: {}, nonField: ['wrong_credentials'], detail: undefined })
})

test('a service without codes, or with something else of that name', async () => {
  const none = { fields: {}, nonField: [], detail: undefined }
  for (const codes of [undefined, null, 'x', 7, { email: 'x', detail: [1] }]) {
    const { error } = await refusedWith({ detail: 'No.', code: 'not_allowed', codes })
    expect(error.codes).toEqual(none)
    expect(error.has('not_allowed')).toBe(true)
  }
  const { error } = await refusedWith({ codes: ['Not a valid list.'] })
  expect(error).toMatchObject({ fields: { codes: ['Not a valid list.'] }, codes: none })
})

test('the language of requests, which may change', async () => {
  let language = 'pt-BR'
  const { headers, client } = await refusedWith({}, { language: () => language })
  language = 'de'
  await client.user.get().catch(() => {})
  expect(headers.map((one) => one['accept-language'])).toEqual(['pt-BR', 'de'])

  const fixed = await refusedWith({}, { language: 'fr', errorCodes: false })
  expect(fixed.headers).toMatchObject([{ 'accept-language': 'fr' }])
  expect(fixed.headers[0]).not.toHaveProperty('x-error-codes')
})
