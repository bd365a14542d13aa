import { expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/kernel/event-kinds.ts'
import { read } from '../../src/kernel/setting-kinds/kind.ts'
import { webhooks } from '../../src/settings/kinds/webhooks.ts'
import { resolveSource } from '../../src/settings/resolve.ts'
import { fromObject } from '../../src/settings/sources.ts'
import { found } from './sound-deployment.ts'

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
const SECRET = secretOf(32)
const URL = 'https://app.example.com/hooks'
const GOOD = { url: URL, secret: SECRET }

const readOne = (webhook: object) => read(webhooks, [webhook])?.[0]

test('a webhook is told everything, unless it names events', () => {
  const all = { url: URL, secret: [SECRET], events: EVENT_KINDS, allow_private_network: false }
  expect(readOne(GOOD)).toEqual(all)
  expect(readOne({ ...GOOD, events: ['deleted'] })).toEqual({ ...all, events: ['deleted'] })
  expect(readOne({ ...GOOD, secret: [SECRET, secretOf(24)] })?.secret).toHaveLength(2)
})

test('the environment has it as JSON', () => {
  expect(read(webhooks, JSON.stringify([GOOD]))).toEqual(read(webhooks, [GOOD]))
  expect(read(webhooks, 'none')).toEqual([])
})

test.each([
  ['https to a name', URL, false],
  ['https to a public address', 'https://8.8.8.8/', false],
  ['this machine', 'http://127.0.0.1:3000/hooks', false],
  ['this machine by IPv6', 'http://[::1]:3000/', false],
  ['this machine by name', 'http://localhost:3000/', false],
  ['a private address that is allowed', 'https://10.0.0.5/', true],
  ['a private address without TLS', 'http://10.0.0.5:3000/', true],
  ['a name in our own network', 'http://app.internal:3000/', true],
])('%s may be called', (_, url, allow_private_network) => {
  expect(readOne({ ...GOOD, url, allow_private_network })?.url).toBe(url)
})

test.each([
  ['http to a name', 'http://app.example.com/', false],
  ['http to a public address', 'http://8.8.8.8/', true],
  ['a private address', 'https://10.0.0.5/', false],
  ['a private address by IPv6', 'https://[fd00::1]/', false],
  ['an address of a cloud', 'https://169.254.169.254/latest/', false],
  ['a private address in other clothes', 'https://0x0a000005/', false],
  ['a user in the URL', 'https://ada:secret@app.example.com/', false],
  ['a fragment', 'https://app.example.com/#top', false],
  ['another protocol', 'ftp://app.example.com/', true],
  ['no URL', 'app.example.com', true],
])('%s is refused', (_, url, allow_private_network) => {
  expect(readOne({ ...GOOD, url, allow_private_network })).toBeUndefined()
})

test.each([
  ['no list', { ...GOOD }],
  ['text', 'https://app.example.com'],
  ['a number', 5],
  ['no secret', [{ url: URL }]],
  ['no secret in the list', [{ ...GOOD, secret: [] }]],
  ['no URL', [{ secret: SECRET }]],
  ['a secret without its prefix', [{ ...GOOD, secret: SECRET.slice(6) }]],
  ['a secret that is too short', [{ ...GOOD, secret: secretOf(23) }]],
  ['a secret that is too long', [{ ...GOOD, secret: secretOf(65) }]],
  ['a secret that is no base64', [{ ...GOOD, secret: `${SECRET}!` }]],
  ['an unknown event', [{ ...GOOD, events: ['registerd'] }]],
  ['no event', [{ ...GOOD, events: [] }]],
  ['an unknown key', [{ ...GOOD, evnets: [] }]],
  ['the same URL twice', [GOOD, { ...GOOD }]],
])('%s is refused', (_, input) => {
  expect(read(webhooks, input)).toBeUndefined()
})

test('mistakes name the webhook and the key, and never show a secret', () => {
  const source = fromObject({ WEBHOOKS: [GOOD, { ...GOOD, secret: 'whsec_mistyped' }] }, 'settings')
  const message = String(catchError(() => resolveSource(source)))
  expect(message).toContain('WEBHOOKS.1.secret (settings)')
  expect(message).not.toContain('mistyped')
})

test('only origins are shown: path and query may be secrets, too', () => {
  const [one, other] = [`${URL}/hidden`, `${URL}?code=hidden`]
  const given = [
    { ...GOOD, url: one },
    { ...GOOD, url: other },
    { ...GOOD, url: 'https://b.example/' },
  ]
  const shown = webhooks.show(read(webhooks, given) ?? [])
  const urls = JSON.parse(shown).map(({ url }: { url: string }) => url)
  expect(urls).toEqual([
    'https://app.example.com (WEBHOOKS.0)',
    'https://app.example.com (WEBHOOKS.1)',
    'https://b.example',
  ])
  expect(shown).not.toContain('hidden')
  expect(shown).not.toContain(SECRET)
})

test('check --deploy names a webhook that is told without TLS', () => {
  const findings = (url: string) =>
    found({ WEBHOOKS: [{ ...GOOD, url, allow_private_network: true }] }).filter(
      (setting) => setting === 'WEBHOOKS',
    )
  expect(findings('http://app.internal/')).toHaveLength(1)
  expect(findings('https://app.internal/')).toEqual([])
  expect(findings('http://127.0.0.1:3000/')).toEqual([])
})

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
