import { expect, test } from 'vitest'
import type { ChangingEmail, Hooks } from '../../../src/core/hooks.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { UNAVAILABLE } from '../../support/answers.ts'
import { endless, startWithHooks, writesNothing, writesNothingIfLate } from '../../support/hooks.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const WORK = ['Use your work address.']
const SENT = { detail: 'Verification e-mail sent.' }

async function start(changingEmail: Hooks['changingEmail']) {
  const auth = await startWithHooks({ changingEmail }, { ACCOUNT: { RATE_LIMITS } })
  const token = await auth.createUserWithToken('ada')
  await auth.createUser({ username: 'bob', email: 'bob@elsewhere.example', verified: true })
  const ask = (email: string, password = PASSWORD) =>
    auth.request.post('email/change/', { email, password }, { token, from: '192.0.2.7' })
  return { ...auth, token, ask }
}

const RATE_LIMITS = { verify_mail: 'none', notice_mail: 'none' }

test('an address that registration would refuse is refused here, and nothing is written', async () => {
  const auth = await start(async ({ email }) => {
    if (!email.endsWith('@example.com')) refuse({ email: WORK })
  })
  // The same answer, whether or not somebody has the address.
  for (const email of ['ada@elsewhere.example', 'bob@elsewhere.example', 'BOB@Elsewhere.example']) {
    const reply = await writesNothing(auth, () => auth.ask(email))
    expect(reply).toMatchReply(400, { email: WORK })
  }
  expect(await auth.mail.letters()).toEqual([])
  const own = await auth.request.get('email/', { token: auth.token })
  expect(own.body).toMatchObject({ email: 'ada@example.com', pending: null })

  expect(await auth.ask('countess@example.com')).toMatchReply(200, SENT)
  expect(await auth.mail.of('change-email')).toHaveLength(1)
})

test('it sees the user and the new address, cannot change them, and is asked last', async () => {
  const seen: ChangingEmail[] = []
  const auth = await start((change) => {
    seen.push(change)
    expect(Object.isFrozen(change) && Object.isFrozen(change.user)).toBe(true)
  })
  for (const [email, password] of [
    ['ada@example.com', PASSWORD],
    ['new@example.com', 'wrong'],
    ['no address', PASSWORD],
  ] as const) {
    expect((await auth.ask(email, password)).status).toBe(400)
  }
  expect(seen).toEqual([])
  expect(await auth.ask('New@Example.com')).toMatchReply(200, SENT)
  expect(seen).toMatchObject([
    {
      user: { username: 'ada', email: 'ada@example.com' },
      email: 'new@example.com',
      address: '192.0.2.7',
    },
  ])

  // The owner of the address confirms it, and nobody is asked again.
  const letter = await auth.mail.newest('change-email', 'new@example.com')
  const { key } = letter.values as { key: string }
  expect((await auth.request.post('email/change/confirm/', { key })).status).toBe(200)
  expect(seen).toHaveLength(1)
})

test('a hook that fails or hangs refuses with 503, and nothing is written', async () => {
  const late = endless()
  let hook: NonNullable<Hooks['changingEmail']> = () => Promise.reject(null)
  const auth = await start((change) => hook(change))
  expect(await writesNothing(auth, () => auth.ask('new@example.com'))).toMatchReply(
    503,
    UNAVAILABLE,
  )
  expect(auth.lines.join('')).toContain('"hook":"changingEmail"')

  hook = late.hook
  const reply = await writesNothingIfLate(auth, late, () => auth.ask('new@example.com'))
  expect(reply).toMatchReply(503, UNAVAILABLE)
})
