import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import type { Reply } from '../../support/client.ts'
import { countRows, tablesOfUsers } from '../../support/dump.ts'
import { bearer, ROTATING, startJwt } from '../../support/jwt.ts'
import { codeOf, createUserWithMfa } from '../../support/mfa.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const CROWD = 64
const UNLIMITED = {
  DELETION: true,
  LOGIN_BY_CODE_ENABLED: true,
  RATE_LIMITS: {
    login_failed: 'none',
    mfa_failed: 'none',
    signup: 'none',
    code_mail: 'none',
    verify_mail: 'none',
    notice_mail: 'none',
  },
} as const

const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const tally = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length

async function startTwo() {
  const auth = await startAuth({ ACCOUNT: UNLIMITED }, { shared: true })
  const second = await startAuth({ ACCOUNT: UNLIMITED }, { beside: auth })
  return { auth, either: (index: number): StartedAuth => (index % 2 === 0 ? auth : second) }
}

/** Rows of users who are not there, in any table. */
async function orphans({ db }: StartedAuth): Promise<string[]> {
  const found: string[] = []
  for (const name of await tablesOfUsers(db)) {
    if (name === 'audit_events') continue
    const { rows } = await sql`select 1 from ${sql.table(name)}
      where user_id <> 0 and user_id not in (select id from users)`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('64 deletions of one account: one success, one mail, one event', async () => {
  const { auth, either } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const replies = await inParallel(CROWD, (index) =>
    either(index).request.post('account/delete/', { password: PASSWORD }, { token }),
  )
  expect(tally(replies, 200)).toBe(1)
  expect(tally(replies, 401)).toBe(CROWD - 1)
  expect(await auth.mail.templates()).toEqual(['account-deleted'])
  const events = await auth.db.selectFrom('audit_events').select(['event', 'times']).execute()
  expect(events).toEqual([{ event: 'user_deleted', times: 1 }])
})

test('64 deletions with one code: one success', async () => {
  const { auth, either } = await startTwo()
  const { token, secret } = await createUserWithMfa(auth, 'ada')
  const body = { password: PASSWORD, code: codeOf(auth, secret) }
  const replies = await inParallel(CROWD, (index) =>
    either(index).request.post('account/delete/', body, { token }),
  )
  expect(tally(replies, 200)).toBe(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(await orphans(auth)).toEqual([])
})

test('beside logins, first halves of logins, mails and ceremonies: no orphan, no fault', async () => {
  const { auth, either } = await startTwo()
  const plain = await auth.createUserWithToken('ada')
  const { token, codes } = await createUserWithMfa(auth, 'grace')
  const other = await auth.createUserWithToken('mary')
  const wish = { email: 'ada@example.com', password: PASSWORD }
  const work: ((auth: StartedAuth) => Promise<Reply>)[] = [
    ({ request }) => request.post('login/', { username: 'ada', password: PASSWORD }),
    ({ request }) => request.post('login/', { username: 'grace', password: PASSWORD }),
    ({ request }) => request.post('password/reset/', { email: 'ada@example.com' }),
    ({ request }) => request.post('registration/', signup('mia', 'ada@example.com')),
    ({ request }) => request.get('mfa/totp/activate/', { token: plain }),
    ({ request }) => request.post('passkeys/register/begin/', {}, { token: plain }),
    ({ request }) => request.patch('user/', { first_name: 'Ada' }, { token: plain }),
    ({ request }) => request.post('password/change/', { new_password1: 'x' }, { token: plain }),
    ({ request }) => request.post('login/code/', { email: 'ada@example.com' }),
    ({ request }) => request.post('email/change/', wish, { token: other }),
  ]
  const leaving = [
    { token: plain, body: { password: PASSWORD } },
    { token, body: { password: PASSWORD, code: codes[0] } },
  ]
  const replies = await inParallel(CROWD, (index) => {
    const leaver = index >= CROWD / 2 ? leaving[index - CROWD / 2] : undefined
    if (leaver) {
      return either(index).request.post('account/delete/', leaver.body, { token: leaver.token })
    }
    return work[index % work.length]?.(either(index)) ?? Promise.reject(new Error('No work.'))
  })
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(await orphans(auth)).toEqual([])
})

test('beside refreshes of its tokens: no orphan, no fault, no token that works', async () => {
  const settings = { ACCOUNT: UNLIMITED, SIMPLE_JWT: { ...ROTATING, REFRESH_REUSE_GRACE: '10s' } }
  const auth = await startJwt(settings, { shared: true })
  const second = await startJwt(settings, { beside: auth })
  const pairs = await inParallel(8, () => auth.logIn())
  const [mine] = pairs
  const replies = await inParallel(CROWD, (index) => {
    const { request } = index % 2 === 0 ? auth : second
    if (index === CROWD / 2) {
      return request.post('account/delete/', { password: PASSWORD }, bearer(mine?.access ?? ''))
    }
    return request.post('token/refresh/', { refresh: pairs[index % 8]?.refresh })
  })
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(await orphans(auth)).toEqual([])
  for (const { body } of replies) {
    const { access, refresh } = body as { access?: string; refresh?: string }
    if (access) expect((await second.getUser(access)).status).toBe(401)
    if (refresh) expect((await second.refresh(refresh)).status).toBe(401)
  }
})

test('beside registrations of the same name: one of them gets it, or none', async () => {
  const { auth, either } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const { id } = await auth.findUser('ada')
  const replies = await inParallel(16, (index) =>
    index === 4
      ? either(index).request.post('account/delete/', { password: PASSWORD }, { token })
      : either(index).request.post('registration/', signup('ada')),
  )
  expect(replies[4]?.status).toBe(200)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(tally(replies, 201)).toBeLessThanOrEqual(1)
  expect(await countRows(auth.db, 'users')).toBe(tally(replies, 201))
  const left = await auth.db.selectFrom('users').select('id').execute()
  for (const user of left) expect(user.id).toBeGreaterThan(id)
  expect(await orphans(auth)).toEqual([])
})
