import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { UP } from '../../support/authenticator.ts'
import type { Reply } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  DEAD_TOKEN,
  MFA_REQUIRED,
  verify,
} from '../../support/mfa.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

type Step = (auth: StartedAuth, token: string, codes: string[]) => Promise<unknown>

const steps: [string, Step][] = [
  ['300 seconds', async ({ clock }) => clock.advance(300_000)],
  [
    'a new password',
    async (auth) => auth.administration.setPassword(await auth.findUser('ada'), 'another'),
  ],
  ['a deactivation', async (auth) => auth.administration.deactivate(await auth.findUser('ada'))],
  [
    'a deactivation that was taken back',
    async (auth) => {
      await auth.administration.deactivate(await auth.findUser('ada'))
      await auth.administration.activate(await auth.findUser('ada'))
    },
  ],
  ['a deletion', async (auth) => auth.administration.remove(await auth.findUser('ada'))],
  [
    'a reset by the operator',
    async (auth) => auth.administration.resetMfa(await auth.findUser('ada')),
  ],
  [
    'MFA switched off',
    async ({ request }, token, [code]) => request.post('mfa/totp/deactivate/', { code }, { token }),
  ],
]

test.each(steps)('%s ends a challenge', async (_, step) => {
  const auth = await startAuth()
  const { secret, token, codes } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  await step(auth, token, codes)
  const logins = await countRows(auth.db, 'logins')
  const reply = await verify(auth, challenge, codeOf(auth, secret))
  expect(reply).toMatchReply(400, DEAD_TOKEN)
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(logins)
})

test('a challenge lasts as long as the settings say', async () => {
  const auth = await startAuth({ REST_AUTH: { MFA_EPHEMERAL_TOKEN_TIMEOUT: 60 } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  const [first, second] = [await challengeOf(auth, 'ada'), await challengeOf(auth, 'ada')]
  auth.clock.advance(59_999)
  expect(await verify(auth, first, codeOf(auth, secret))).toMatchReply(200, KEY)
  auth.clock.advance(1)
  expect(await verify(auth, second, codeOf(auth, secret, 1))).toMatchReply(400, DEAD_TOKEN)
})

test('a second login leaves the challenge of the first alone', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const [first, second] = [await challengeOf(auth, 'ada'), await challengeOf(auth, 'ada')]
  expect(await verify(auth, second, codeOf(auth, secret))).toMatchReply(200, KEY)
  expect(await verify(auth, first, codeOf(auth, secret, 1))).toMatchReply(200, KEY)
})

test('a challenge ends with the way in that opened it, and those of others stay', async () => {
  const idp = await startHostileProvider()
  const auth = await startAuth(idp.settings())
  const { request, clock } = auth
  const { secret, token } = await createUserWithMfa(auth, 'ada')
  const challengeIn = (reply: Reply) => {
    expect(reply).toMatchReply(200, MFA_REQUIRED)
    return (reply.body as { ephemeral_token: string }).ephemeral_token
  }
  const passkey = await registered(request, token)
  const proof = async () => ({ id_token: await idp.idToken(clock) })
  const connected = await request.post('idp/connect/', await proof(), { token })
  const { id } = connected.body as { id: number }
  const [{ id: passkeyId }] = (await request.get('passkeys/', { token })).body as [{ id: number }]

  const byPasskey = challengeIn(await logIn(request, passkey, { lies: { flags: UP } }))
  const bySocial = challengeIn(await request.post('idp/', await proof()))
  const byPassword = await challengeOf(auth, 'ada')
  await request.delete(`passkeys/${passkeyId}/`, { token })
  expect(await verify(auth, byPasskey, codeOf(auth, secret))).toMatchReply(400, DEAD_TOKEN)
  await request.post(`socialaccounts/${id}/disconnect/`, {}, { token })
  expect(await verify(auth, bySocial, codeOf(auth, secret))).toMatchReply(400, DEAD_TOKEN)
  expect(await verify(auth, byPassword, codeOf(auth, secret))).toMatchReply(200, KEY)
})
