import { describe, expect, test } from 'vitest'
import { createAuth, refuse, SettingsError, type SigningIn } from '../../../src/index.ts'
import { ADA, callerOf, embed, PASSWORD, SIGNUP } from '../../support/embed.ts'
import { hosts } from '../../support/hosts.ts'

describe.each(hosts)('in $name', (host) => {
  test('hooks and rules are asked, wherever the service is mounted', async () => {
    const asked: SigningIn[] = []
    const { auth } = await embed(
      { ...host.settings },
      {
        hooks: {
          registering({ fields }) {
            if (fields.username === 'eve') refuse({ username: ['Not you.'] })
          },
          signingIn(login) {
            asked.push(login)
            if (asked.length > 1) refuse('Once is enough.')
          },
        },
        passwordRules: (password) => (password.includes('example') ? ['Be creative.'] : null),
      },
    )
    const { post } = callerOf(await host.start(auth), host)
    const eve = await post('registration/', { ...SIGNUP, username: 'eve' })
    expect([eve.status, eve.body]).toEqual([400, { username: ['Not you.'] }])
    const password1 = 'an example of 2030'
    const weak = await post('registration/', { ...SIGNUP, password1, password2: password1 })
    expect([weak.status, weak.body]).toEqual([400, { password1: ['Be creative.'] }])
    expect((await post('registration/', SIGNUP)).status).toBe(201)
    const login = await post('login/', { ...ADA, password: PASSWORD })
    expect([login.status, login.body]).toEqual([400, { non_field_errors: ['Once is enough.'] }])
    expect(login.setCookies).toEqual([])
    expect(asked.map(({ method, user }) => [method, user.username])).toEqual([
      ['registration', 'ada'],
      ['password', 'ada'],
    ])
  })
})

test('mistakes in the options are listed together with those of the settings', async () => {
  const settings = { REST_AUTH: { USE_JWT: 'perhaps' }, DATABASE_URL: 'sqlite::memory:' }
  const options = { log: () => {}, hook: {}, hooks: { signInn: () => {} }, mail: {} }
  const error = await createAuth(settings as never, options as never).catch((caught) => caught)
  expect(error).toBeInstanceOf(SettingsError)
  expect(error.mistakes).toEqual([
    expect.stringContaining('REST_AUTH.USE_JWT'),
    'hook: no such option; did you mean hooks?',
    'hooks.signInn: no such hook',
    'mail: got an object, expected an object with a function send',
    'log: expected an object with the functions info, warn and error',
  ])
})
