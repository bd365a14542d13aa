import { expect, test } from 'vitest'
import type { AccountEvent, Hooks, SettingsInput } from '../../src/index.ts'

// Code that must not compile is marked, and `npm run check` fails if it compiles.

test('each hook knows what its event tells', () => {
  const right: Hooks = {
    registered: ({ method, user }) => [
      method satisfies 'registration' | 'social' | 'operator',
      user,
    ],
    signedIn: async ({ user: { pk }, method, address }) => `${pk} ${method} ${address}`,
    emailChanged: ({ user, former_email }) => user.email !== former_email,
    mfaChanged: ({ change }) => change === 'recovery_codes_regenerated',
    deleted: ({ by, timestamp }) => new Date(timestamp).getTime() + by.length,
  }
  const wrong: Hooks = {
    // @ts-expect-error: a deletion has no address
    deleted: ({ address }) => address,
    // @ts-expect-error: not one of its words
    passwordChanged: ({ method }) => method === 'forgotten',
  }
  expect([right, wrong]).toHaveLength(2)
})

test('an event says by its type what else it has', () => {
  const describe = (event: AccountEvent) => {
    // @ts-expect-error: events can be changed by nobody
    const change = () => (event.id = '')
    return event.type === 'signedIn' ? [event.address, change] : [event.user.username, change]
  }
  expect(describe).toBeTypeOf('function')
})

test('webhooks are typed', () => {
  const url = 'https://app.example.com/'
  const right: SettingsInput = { WEBHOOKS: [{ url, secret: ['whsec_…'], events: ['deleted'] }] }
  const wrong: SettingsInput[] = [
    // @ts-expect-error: every webhook has a secret
    { WEBHOOKS: [{ url }] },
    // @ts-expect-error: no such event
    { WEBHOOKS: [{ url, secret: 'whsec_…', events: ['removed'] }] },
  ]
  expect([right, ...wrong]).toHaveLength(3)
})
