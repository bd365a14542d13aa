import { afterAll, expect, test, vi } from 'vitest'
import { createCookies } from '../../src/http/cookies.ts'
import { startAuth } from '../support/start-auth.ts'

const { auth, clock } = await startAuth({}, { atTheEnd: afterAll })
const { session } = createCookies({ settings: auth.settings, place: auth.place, clock })
const read = (cookie?: string) => session.read({ headers: { cookie } })

test.each<[sent: string | undefined, value: string | undefined]>([
  [undefined, undefined],
  ['sessionid=', undefined],
  ['other=x', undefined],
  ['sessionid=a; sessionid=b', 'a'],
  ['x; other=%zz; sessionid=a%20b', 'a b'],
  ['sessionid=100%', '100%'],
])('the cookie header %j has the session %j', (sent, value) => {
  expect(read(sent)).toBe(value)
})

test('only the cookie that is read is decoded', () => {
  const others = Array.from({ length: 1000 }, (_, index) => `c${index}=%`).join(';')
  const decode = vi.spyOn(globalThis, 'decodeURIComponent')
  const value = read(`${others};sessionid=a%20b`)
  const { calls } = decode.mock
  vi.restoreAllMocks()
  expect(value).toBe('a b')
  expect(calls).toEqual([['a%20b']])
})
