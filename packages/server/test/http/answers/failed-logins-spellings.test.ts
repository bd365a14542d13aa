import { afterAll, expect, test } from 'vitest'
import { startAuth } from '../../support/start-auth.ts'

/**
 * Whether two spellings count as one account must not depend on whether the account exists. Otherwise
 * failures with one spelling and one try with the other would tell who exists.
 */
const ADDRESSES = [
  'ADA@Example.com',
  'ａda@example.com',
  'ada＠example.com',
  'ada﹫example.com',
  'ada@exam\u00ADple.com',
  'ada@ｅｘａｍｐｌｅ.com',
  'ada@example。com',
  'a\u00ADda@example.com',
  'ada\u200d@example.com',
  'ada@example.com.',
]
const DOMAINS = ['ada@münchen.de', 'ada@MÜNCHEN.DE', 'ada@mu\u0308nchen.de', 'ada@münchen。de']
const NAMES = ['ADA', 'ａｄａ', 'a\u00ADda', 'ada\u200b', '𝐚da', 'аda']

/** The user of the service in which the plain name exists. */
const byAddress = await started({ username: 'bob', email: 'ada@example.com' })
const byName = await started({ username: 'ada@example.com' })
const bySimpleName = await started({ username: 'ada' })
const abroad = await started({ username: 'bob', email: 'ada@münchen.de' })
const namedAbroad = await started({ username: 'ada@münchen.de' })
const nobody = await started()

type Service = Awaited<ReturnType<typeof started>>

const cases: [spelling: string, plain: string, who: string, known: Service][] = [
  ...ADDRESSES.map((s) => row(s, 'ada@example.com', 'an address', byAddress)),
  ...ADDRESSES.map((s) => row(s, 'ada@example.com', 'a username', byName)),
  ...DOMAINS.map((s) => row(s, 'ada@xn--mnchen-3ya.de', 'an address', abroad)),
  ...DOMAINS.map((s) => row(s, 'ada@münchen.de', 'a username', namedAbroad)),
  ...NAMES.map((s) => row(s, 'ada', 'a username', bySimpleName)),
]

function row(...values: (typeof cases)[number]) {
  return values
}

async function started(account?: { username: string; email?: string }) {
  const settings = { ACCOUNT: { RATE_LIMITS: { login_failed: '1/5m/key' } } }
  const { request, createUser, db } = await startAuth(settings, { atTheEnd: afterAll })
  if (account) await createUser(account)
  return {
    async guess(username: string) {
      return (await request.post('login/', { username, password: 'wrong' })).status
    },
    async listedPasskeys(username: string) {
      const { body } = await request.post('passkeys/login/begin/', { username })
      return JSON.stringify((body as { allowCredentials: unknown }).allowCredentials)
    },
    forgetGuesses: () => db.deleteFrom('limits').execute(),
  }
}

async function guessBoth({ guess, forgetGuesses }: Service, first: string, then: string) {
  await forgetGuesses()
  return [await guess(first), await guess(then)]
}

test.each(cases)('a guess as %s does not tell whether %s, %s, exists', async (...row) => {
  const [spelling, plain, , known] = row
  expect(await guessBoth(known, spelling, plain)).toEqual(await guessBoth(nobody, spelling, plain))
  expect(await guessBoth(known, plain, spelling)).toEqual(await guessBoth(nobody, plain, spelling))
})

test.each(cases)('nor do made-up passkeys for %s and %s', async (spelling, plain) => {
  // Spellings of the same user get the same list, and spellings of an unknown name, too.
  const [, second] = await guessBoth(nobody, spelling, plain)
  const lists = [await nobody.listedPasskeys(spelling), await nobody.listedPasskeys(plain)]
  expect(lists[0] === lists[1]).toBe(second === 429)
})
