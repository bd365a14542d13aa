import { expect, test } from 'vitest'
import { type AuthClient, createClient } from '../src/index.ts'

// What must not compile is marked, and `npm run check` fails where it does. The functions are never
// called: the compiler reads them, and that is the test.

test('a wrong call does not compile', () => {
  const calls = (auth: AuthClient) => [
    auth.login({ username: 'ada', password: 'secret' }),
    // @ts-expect-error: without a password nobody logs in
    auth.login({ username: 'ada' }),
    // @ts-expect-error: no such field
    auth.login({ user: 'ada', password: 'secret' }),
    // @ts-expect-error: a password is text
    auth.login({ username: 'ada', password: 1 }),
    // @ts-expect-error: no such call
    auth.signIn({ username: 'ada', password: 'secret' }),
    auth.passkeys.rename(1, { name: 'Laptop' }, { signal: AbortSignal.abort() }),
    // @ts-expect-error: which one?
    auth.passkeys.delete(),
    // @ts-expect-error: a path has no objects in it
    auth.passkeys.delete({ id: 1 }),
    auth.password.checkReset('uid', 'token'),
    // @ts-expect-error: the token is missing
    auth.password.checkReset('uid'),
    auth.user.get({ timeout: 1000 }),
    // @ts-expect-error: no such option
    auth.user.get({ retries: 3 }),
    // @ts-expect-error: a GET has no body
    auth.user.get({}, {}),
    auth.user.update({ first_name: 'Ada' }),
    // @ts-expect-error: an address is changed with the help of a mail
    auth.user.update({ email: 'ada@example.com' }),
    auth.register({ email: 'ada@example.com', password1: 'a', password2: 'a' }),
    // @ts-expect-error: every account has a password
    auth.register({ email: 'ada@example.com' }),
  ]
  const clients = () => [
    createClient({ mode: 'session' }),
    // @ts-expect-error: the mode must be said
    createClient({ url: '/auth/' }),
    // @ts-expect-error: no such mode
    createClient({ mode: 'cookies' }),
    // @ts-expect-error: that keeps nothing
    createClient({ mode: 'jwt', storage: new Map() }),
  ]
  expect([calls, clients]).toHaveLength(2)
})

test('the answer to a login tells what comes next', () => {
  const use = async (auth: AuthClient) => {
    const answer = await auth.login({ username: 'ada', password: 'secret' })
    // @ts-expect-error: it may be asked for, or not
    const early: string = answer.ephemeral_token
    if (answer.mfa_required) {
      const token: string = answer.ephemeral_token
      return { early, token }
    }
    // @ts-expect-error: nobody is asked for a second factor here
    const late: string = answer.ephemeral_token
    const key: string | undefined = answer.key ?? answer.access
    return { late, key, name: answer.user?.username }
  }
  expect(use).toBeTypeOf('function')
})

test('the fields of a deployment are known, once they were named', () => {
  type User = { pk: number; username: string; phone: string | null }
  const use = async (auth: AuthClient<User>) => {
    const { phone } = await auth.user.get()
    const updated: User = await auth.user.update({ phone: null })
    await auth.register({ username: 'ada', phone: '1', password1: 'a' })
    const { user } = await auth.login({ username: 'ada', password: 'secret' })
    // @ts-expect-error: no such field
    await auth.user.update({ fax: '1' })
    return { phone, updated, now: auth.state.user?.phone, later: user?.phone }
  }
  expect(use).toBeTypeOf('function')
})
