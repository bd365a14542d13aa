import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { User } from '../../src/storage/schema.ts'
import { NOT_PROVIDED } from '../support/answers.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { countRows } from '../support/dump.ts'
import { startHostileProvider } from '../support/hostile-provider.ts'
import { identityOf } from '../support/identities.ts'
import { sendJson } from '../support/loopback-server.ts'
import { completeLate, offerOf } from '../support/mfa.ts'
import { beginRegistration } from '../support/passkeys.ts'
import { type StartedAuth, startAuth } from '../support/start-auth.ts'

/**
 * A thief has a credential of Ada. When Ada gets a new password, the thief must not be able to add
 * a way in that still works afterwards. A request that began before is refused at its end.
 */
const REFUSED = { status: 401, body: { detail: { code: 'not_authenticated' } } }

const ways: Record<string, (auth: StartedAuth, ada: User) => Promise<unknown>> = {
  'a new password': ({ administration }, ada) =>
    administration.setPassword(ada, 'one that nobody has stolen'),
  deactivation: ({ administration }, ada) => administration.deactivate(ada),
  deletion: ({ administration }, ada) => administration.remove(ada),
}

async function startWithAda(settings = {}) {
  const auth = await startAuth(settings)
  const token = await auth.createUserWithToken('ada')
  const ada = await auth.findUser('ada')
  return { auth, token, ada }
}

/** What was begun goes with its user, and what is gone is refused in other words. */
const whileBegun = Object.entries(ways).filter(([name]) => name !== 'deletion')

test.each(whileBegun)('%s: no passkey is added', async (_, voidAll) => {
  const { auth, token, ada } = await startWithAda()
  const credential = createAuthenticator().create(await beginRegistration(auth.request, token))
  await voidAll(auth, ada)
  const adding = auth.auth.services.passkeys.completeRegistration(identityOf(ada), credential)
  await expect(adding).rejects.toMatchObject(REFUSED)
  expect(await countRows(auth.db, 'passkeys')).toBe(0)
  expect(await auth.mail.of('passkey-added')).toEqual([])
})

test.each(whileBegun)('%s: no second factor is added', async (_, voidAll) => {
  const { auth, token, ada } = await startWithAda()
  const offer = await offerOf(auth, { token })
  await voidAll(auth, ada)
  const adding = completeLate(auth, ada, offer)
  await expect(adding).rejects.toMatchObject(REFUSED)
  expect(await countRows(auth.db, 'totp_authenticators')).toBe(0)
  expect(await auth.mail.of('mfa-activated')).toEqual([])
})

/** The provider may take seconds to answer. */
const whileAsking = Object.entries({
  ...ways,
  'the end of all logins': ({ administration }: StartedAuth, ada: User) =>
    administration.revoke(ada),
})

test.each(whileAsking)('%s: no account elsewhere is connected', async (_, voidAll) => {
  const idp = await startHostileProvider()
  const { auth, token, ada } = await startWithAda(idp.settings())
  const keys = idp.answered('/keys')
  idp.answer('/keys', async (response: ServerResponse) => {
    await voidAll(auth, ada)
    sendJson(response, keys)
  })
  const id_token = await idp.idToken(auth.clock)
  const reply = await auth.request.post('idp/connect/', { id_token }, { token })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
  expect(await countRows(auth.db, 'social_accounts')).toBe(0)
  expect(await auth.mail.of('social-account-connected')).toEqual([])
})

test.each(whileAsking.filter(([name]) => name !== 'deletion'))(
  '%s while a new password is hashed: it is not set',
  async (_, voidAll) => {
    const { auth, ada } = await startWithAda()
    await voidAll(auth, ada)
    const { password, epoch } = await auth.findUser('ada')
    const typed = { new_password1: 'now it is mine alone', new_password2: 'now it is mine alone' }
    const changing = auth.auth.services.ownPassword.change(identityOf(ada), typed, {
      client: '127.0.0.1',
    })
    await expect(changing).rejects.toMatchObject(REFUSED)
    expect(await auth.findUser('ada')).toMatchObject({ password, epoch })
  },
)
