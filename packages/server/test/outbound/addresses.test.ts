import { expect, test } from 'vitest'
import { isLoopback } from '../../src/kernel/hosts.ts'
import { guardedLookup, mayLeadTo } from '../../src/outbound/addresses.ts'

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
  ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
  ...['::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:127.0.0.1', '::7f00:1', '::ffff:0:7f00:1'],
  ...['64:ff9b::169.254.169.254', '64:ff9b:1::a9fe:a9fe', '2002:a9fe:a9fe::1', '2001:0:1::1'],
])('a name may not lead to %s', (address) => {
  expect(mayLeadTo(address, 'idp.example', false)).toBe(false)
  expect(mayLeadTo(address, 'idp.example', true)).toBe(true)
})

test.each(['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  'a name may lead to %s, unless it is a name of this machine',
  (address) => {
    expect(mayLeadTo(address, 'idp.example', false)).toBe(true)
    expect(mayLeadTo(address, 'app.localhost', true)).toBe(false)
  },
)

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['10.0.0.1', false],
  ['localhost.example', false],
  ['notlocalhost', false],
  ['[::ffff:10.0.0.1]', false],
])('%s is on this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('a lookup answers in both forms that a connection may ask for', async () => {
  const lookup = guardedLookup(false)
  const one = await new Promise((resolve) => {
    lookup('localhost', { all: false }, (_, address) => resolve(address))
  })
  const all = await new Promise((resolve) => {
    lookup('localhost', { all: true }, (_, addresses) => resolve(addresses))
  })
  expect(all).toContainEqual({ address: one, family: expect.any(Number) })
  const refused = await new Promise((resolve) => {
    lookup('10.0.0.1', { all: true }, (error) => resolve(error?.message))
  })
  expect(refused).toBe('The name leads into a private network.')
})
