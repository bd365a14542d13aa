import { expect, test } from 'vitest'
import type { LetterName } from '../../src/kernel/letter-names.ts'
import type { User } from '../../src/storage/schema.ts'
import { ADA, changeKey, NEW } from '../support/addresses.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { startListening } from '../support/events.ts'
import { identityOf } from '../support/identities.ts'
import { activate, completeLate, offerOf } from '../support/mfa.ts'
import { beginRegistration } from '../support/passkeys.ts'
import { PASSWORD } from '../support/start-auth.ts'

type Started = Awaited<ReturnType<typeof startListening>>

/** What is prepared, and what a request does later with the row that it read before. */
type Way = (auth: Started, token: string) => Promise<(before: User) => Promise<unknown>>

/** The address changes while the request runs. */
const ways: [LetterName, Way][] = [
  [
    'passkey-added',
    async ({ request, auth }, token) => {
      const credential = createAuthenticator().create(await beginRegistration(request, token))
      return (before) => auth.services.passkeys.completeRegistration(identityOf(before), credential)
    },
  ],
  [
    'mfa-activated',
    async (auth, token) => {
      const offer = await offerOf(auth, { token })
      return (before) => completeLate(auth, before, offer)
    },
  ],
  [
    'recovery-codes-regenerated',
    async (auth, token) => {
      await activate(auth, token)
      return (before) => auth.auth.services.mfa.regenerateRecoveryCodes(identityOf(before))
    },
  ],
]

test.each(ways)('%s goes to the address of now', async (template, prepare) => {
  const auth = await startListening()
  const { request, mail } = auth
  const token = await auth.createUserWithToken('ada')
  const finish = await prepare(auth, token)
  const before = await auth.findUser('ada')
  expect(before.email).toBe(ADA)
  await request.post('email/change/', { email: NEW, password: PASSWORD }, { token })
  await request.post('email/change/confirm/', { key: await changeKey(auth) })
  await auth.told()

  await finish(before)
  expect((await mail.of(template)).map(({ to }) => to)).toEqual([NEW])
  for (const { user } of await auth.told()) expect(user.email).toBe(NEW)
})
