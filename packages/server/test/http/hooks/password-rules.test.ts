import { expect, test } from 'vitest'
import type { PasswordRule, RuledUser } from '../../../src/core/host/host-options.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { requestReset, STRONG, signup, twice } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { UNLIMITED, writesNothing } from '../../support/hooks.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const HISTORY = 'You have used this password before.'

async function start(passwordRules: PasswordRule) {
  const lines: string[] = []
  const auth = await startAuth(
    { ACCOUNT: UNLIMITED },
    { passwordRules, onLogLine: (line) => lines.push(line) },
  )
  return { ...auth, lines }
}

test('what the rule finds stands after our own findings, wherever a password is chosen', async () => {
  const auth = await start((password) => (password.startsWith('123') ? [HISTORY] : null))
  const { request, createUserWithToken } = auth
  const ours = [
    'This password is too short. It must contain at least 8 characters.',
    'This password is too common.',
    'This password is entirely numeric.',
  ]
  const form = { ...signup('bob'), password1: '123', password2: '123' }
  const registration = await writesNothing(auth, () => request.post('registration/', form))
  expect(registration).toMatchReply(400, { password1: [...ours, HISTORY] })

  const token = await createUserWithToken('ada')
  const change = await request.post('password/change/', twice('123-Nn-5566-yy'), { token })
  expect(change).toMatchReply(400, { new_password2: [HISTORY] })

  const { uid, token: resetToken } = await requestReset(auth, 'ada@example.com')
  const confirm = (password: string) =>
    request.post('password/reset/confirm/', { uid, token: resetToken, ...twice(password) })
  expect(await confirm('123-Nn-5566-yy')).toMatchReply(400, { new_password2: [HISTORY] })
  // A refused password does not use the link up.
  expect((await confirm(STRONG)).status).toBe(200)
  const login = { username: 'ada', password: STRONG }
  expect(await request.post('login/', login)).toMatchReply(200, KEY)
})

test('the page behind the link of a reset shows the words of the rule', async () => {
  const auth = await start(async () => ['<b>Never</b> good.'])
  await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const { uid, token } = await requestReset(auth, 'ada@example.com')
  const reply = await auth.request.post(
    `password/reset/confirm/${uid}/${token}/`,
    new URLSearchParams(twice(STRONG)).toString(),
    { type: 'application/x-www-form-urlencoded', headers: { accept: 'text/html' } },
  )
  expect(reply.status).toBe(400)
  expect(reply.body).toContain('&#60;b&#62;Never&#60;/b&#62; good.')
})

test('it knows whose password it is', async () => {
  const asked: RuledUser[] = []
  const { request, createUserWithToken, findUser } = await start((_, user) => {
    asked.push(user)
    return []
  })
  const form = signup('ＢＯＢ', 'Bob@Example.com')
  expect(await request.post('registration/', form)).toMatchReply(201, KEY)
  const token = await createUserWithToken('ada')
  await request.post('password/change/', twice(STRONG), { token })
  const names = { first_name: '', last_name: '' }
  expect(asked).toEqual([
    { pk: null, username: 'BOB', email: 'bob@example.com', ...names },
    { pk: (await findUser('ada')).id, username: 'ada', email: 'ada@example.com', ...names },
  ])
  expect(asked.every(Object.isFrozen)).toBe(true)
})

test.each<[string, PasswordRule]>([
  [
    'throws',
    (password) => {
      throw new TypeError(`fetch failed: https://example.com/${password}\n    at ${password}`)
    },
  ],
  ['rejects', (password) => Promise.reject(password)],
  ['refuses instead of returning words', (password) => refuse(password)],
  ['returns a text', (password) => password as never],
  ['returns a list of nothing', () => ['']],
])('a rule that %s refuses with 503, and the log has no password', async (_, rule) => {
  const auth = await start(rule)
  const post = () => auth.request.post('registration/', signup('ada'))
  expect(await writesNothing(auth, post)).toMatchReply(503, UNAVAILABLE)
  const log = auth.lines.join('')
  expect(log).toContain('"hook":"passwordRules"')
  expect(log).not.toContain(STRONG)
})

test('an operator sets any password, and a login is not asked about', async () => {
  const { request, createUser, administration, findUser } = await start(() => [HISTORY])
  await createUser({ username: 'ada' })
  const login = { username: 'ada', password: PASSWORD }
  expect(await request.post('login/', login)).toMatchReply(200, KEY)
  await administration.setPassword(await findUser('ada'), STRONG)
  expect(await request.post('login/', { ...login, password: STRONG })).toMatchReply(200, KEY)
})
