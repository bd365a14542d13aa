import { expect, test } from 'vitest'
import { hostUrls } from '../../src/kernel/postgres-hosts.ts'

test.each([
  ['postgres://u:p@a/db', ['postgres://u:p@a/db']],
  [
    'postgres://u:p@a:5432,b:5433/db?x=1',
    ['postgres://u:p@a:5432/db?x=1', 'postgres://u:p@b:5433/db?x=1'],
  ],
  ['postgresql://a,b,c:1/db', ['postgresql://a/db', 'postgresql://b/db', 'postgresql://c:1/db']],
  [
    'postgres://u@[::1]:5432,[fe80::2],b/db',
    ['postgres://u@[::1]:5432/db', 'postgres://u@[fe80::2]/db', 'postgres://u@b/db'],
  ],
  [
    'postgres://u@%2Frun%2Fa,%2Frun%2Fb:5433/db',
    ['postgres://u@%2Frun%2Fa/db', 'postgres://u@%2Frun%2Fb:5433/db'],
  ],
  ['postgres://u:a,b@c,d/db', ['postgres://u:a,b@c/db', 'postgres://u:a,b@d/db']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
  ['postgres://', ['postgres://']],
  // As on Cloud Run.
  ['postgres://u:p@/db?host=/cloudsql/a:b:c', ['postgres://u:p@localhost/db?host=/cloudsql/a:b:c']],
  ['postgres://u:a b%C3%A9@c/my db', ['postgres://u:a%20b%C3%A9@c/my%20db']],
  ['postgres://u:50%off%C3%A9%@c/db?x=%', ['postgres://u:50%25off%C3%A9%25@c/db?x=%25']],
])('the hosts of %s', (url, urls) => {
  expect(hostUrls(url)).toEqual(urls)
})

test.each([
  'mysql://a,b/db',
  'a,b',
  'postgres://a,,b/db',
  'postgres://a,/db',
  'postgres://,b/db',
  'postgres://a:port,b/db',
  'postgres://a:99999,b/db',
  'postgres://[::1,b/db',
])('%s has none', (url) => {
  expect(hostUrls(url)).toEqual([])
})
