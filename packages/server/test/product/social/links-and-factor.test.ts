import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { ADA, BY_CODE, codesIn } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { codeOf, createUserWithMfa, verify } from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

/** Ada, who has a second factor, may log in by an address that the provider has verified. */
async function startWithAda() {
  const idp = await startHostileProvider()
  const settings = idp.settings({ EMAIL_AUTHENTICATION: true })
  const auth = await startAuth({ ...settings, ACCOUNT: BY_CODE })
  const { secret } = await createUserWithMfa(auth, 'ada')
  /** The first step of a login. */
  const begin = async (email = ADA) => {
    const id_token = await idp.idToken(auth.clock, { email, email_verified: true })
    const { body } = await auth.request.post('idp/', { id_token })
    return (body as { ephemeral_token: string }).ephemeral_token
  }
  const finish = (token: string) => verify(auth, token, codeOf(auth, secret))
  const links = () => countRows(auth.db, 'social_accounts')
  const logInByCode = async () => {
    const { begin, confirm } = codesIn(auth)
    expect((await confirm(await begin())).status).toBe(200)
  }
  const reset = async () => {
    const { uid, token } = await requestReset(auth, ADA)
    const body = { uid, token, ...twice(STRONG) }
    expect((await auth.request.post('password/reset/confirm/', body)).status).toBe(200)
  }
  return { ...auth, begin, finish, links, proofs: { logInByCode, reset } }
}

const PROOFS = ['reset', 'logInByCode'] as const

test.each(PROOFS)('a link that awaits the second factor is gone after %s', async (proof) => {
  const { begin, links, proofs } = await startWithAda()
  expect(await begin()).toBeDefined()
  expect(await links()).toBe(1)
  await proofs[proof]()
  expect(await links()).toBe(0)
})

test.each(PROOFS)('a link that the second factor has confirmed outlives %s', async (proof) => {
  const { begin, finish, links, proofs, mail } = await startWithAda()
  expect(await finish(await begin())).toMatchReply(200, KEY)
  await proofs[proof]()
  expect(await links()).toBe(1)
  expect(await mail.of('additions-removed')).toEqual([])
})

test('a second factor does not confirm a link of a user whose own address is unproved', async () => {
  const { begin, finish, links, proofs, db, findUser } = await startWithAda()
  const { id: user_id } = await findUser('ada')
  const email = 'ada@work.example'
  const further = { id: 1, user_id, email, email_key: email, verified: 1 } as const
  await db.insertInto('django_addresses').values(further).execute()
  await db.updateTable('users').set({ email_verified: 0 }).execute()
  expect(await finish(await begin(email))).toMatchReply(200, KEY)
  await proofs.reset()
  expect(await links()).toBe(0)
})
