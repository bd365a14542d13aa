import { pino } from 'pino'
import { expect, test } from 'vitest'
import { composeService } from '../../src/compose-service.ts'
import type { HostOptions } from '../../src/core/host/host-options.ts'
import { SettingsError } from '../../src/kernel/settings-error.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { SECRET_KEY } from '../support/start-auth.ts'

function mistakesOf(options: object): readonly string[] {
  const settings = resolveSettings({ SECRET_KEY, DATABASE_URL: 'sqlite::memory:' })
  try {
    composeService(settings, {
      ...(options as HostOptions),
      log: pino({ level: 'silent' }),
    }).close()
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

test('functions of the host that nobody would ever call stop the start, all named at once', () => {
  const wrong = {
    hooks: { signIn: () => {}, registering: 'yes', claims: null, wholly: () => {} },
    mail: { sendMail: () => {} },
    passwordRules: [() => null],
    usernameRules: /^a/,
  }
  expect(mistakesOf(wrong)).toEqual([
    'hooks.signIn: no such hook',
    'hooks.registering: got a string, expected a function',
    'hooks.claims: got null, expected a function',
    'hooks.wholly: no such hook',
    'mail: got an object, expected an object with a function send',
    'passwordRules: got a list, expected a function',
    'usernameRules: got an object, expected a function',
  ])
  expect(mistakesOf({ hooks: { signinIn: () => {} } })).toEqual([
    'hooks.signinIn: no such hook; did you mean signingIn?',
  ])
})

test.each([
  [{ hooks: [] }, 'hooks: got a list, expected an object of functions'],
  [{ hooks: null }, 'hooks: got null, expected an object of functions'],
  [{ mail: () => {} }, 'mail: got a function, expected an object with a function send'],
  [{ mail: { send: true } }, 'mail.send: got a boolean, expected a function'],
])('%j is a mistake', (options, mistake) => {
  expect(mistakesOf(options)).toEqual([mistake])
})

test('what is undefined counts as left out', () => {
  const hooks = { registering: undefined, signingIn: () => {} }
  const left = { mail: undefined, passwordRules: undefined, usernameRules: undefined }
  expect(mistakesOf({ hooks, ...left })).toEqual([])
  expect(mistakesOf({ hooks: undefined })).toEqual([])
})
