import { expect, test } from 'vitest'
import type { RequestOptions } from '../../support/authenticator.ts'
import { beginLogin, logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const NAME = 'bob@example.com'
const FAILED = { non_field_errors: ['Authentication verification failed.'] }

/** Bob, and Mallory, who has registered with Bob's username as her address. */
async function startWithNamesakes() {
  const auth = await startAuth()
  const { request, createUser } = auth
  const tokenOf = async (username: string) => {
    const reply = await request.post('login/', { username, password: PASSWORD })
    return (reply.body as { key: string }).key
  }
  await createUser({ username: NAME, email: 'bob@work.example', verified: true })
  const ofBob = { token: await tokenOf(NAME) }
  await createUser({ username: 'mallory', email: NAME, verified: true })
  return { ...auth, ofBob, ofMallory: { token: await tokenOf('mallory') } }
}

const listFor = async (...[client, name]: Parameters<typeof beginLogin>) =>
  ((await beginLogin(client, name)) as RequestOptions & { allowCredentials: { id: string }[] })
    .allowCredentials

test('an address that is the username of another keeps no passkey out', async () => {
  const { request, ofBob, ofMallory, createUserWithToken } = await startWithNamesakes()
  const bobs = await registered(request, ofBob.token)
  expect(await listFor(request, { username: NAME })).toMatchObject([{ id: bobs.id }])
  const mallorys = await registered(request, ofMallory.token)
  const cys = await registered(request, await createUserWithToken('cy'))
  const name = { username: NAME }
  expect(await listFor(request, name)).toMatchObject([{ id: mallorys.id }, { id: bobs.id }])

  // Some authenticators do not say who the user is.
  for (const lies of [{}, { response: { userHandle: null } }]) {
    const keyOf = async (authenticator: typeof bobs) =>
      (await logIn(request, authenticator, { name, lies })).body
    expect(await keyOf(bobs)).toEqual({ key: ofBob.token })
    expect(await keyOf(mallorys)).toEqual({ key: ofMallory.token })
    expect(await keyOf(cys)).toEqual(FAILED)
  }
})

test('the name alone says no more: an address is of one user, and nobody has made-up passkeys', async () => {
  const { request, ofBob } = await startWithNamesakes()
  const madeUp = await listFor(request, { username: NAME })
  const bobs = await registered(request, ofBob.token)
  expect(madeUp).not.toContainEqual(expect.objectContaining({ id: bobs.id }))
  expect(await listFor(request, { email: NAME })).toEqual(madeUp)
  const reply = await logIn(request, bobs, { name: { email: NAME } })
  expect(reply).toMatchReply(400, FAILED)
})
