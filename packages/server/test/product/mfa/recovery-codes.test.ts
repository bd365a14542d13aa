import { expect, test } from 'vitest'
import { createKeyedDigest } from '../../../src/crypto/digests.ts'
import { createSealedBox } from '../../../src/crypto/sealed-box.ts'
import { createRecoveryCodes } from '../../../src/features/mfa/recovery-codes.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import { KEY, NOT_PROVIDED } from '../../support/answers.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  RECOVERY_CODE,
  verify,
  WRONG_CODE,
} from '../../support/mfa.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

const PATH = 'mfa/recovery-codes/'
const REGENERATE = 'mfa/recovery-codes/regenerate/'

const logIn = async (auth: StartedAuth, code: unknown) =>
  verify(auth, await challengeOf(auth, 'ada'), code)

test.each([
  ['GET', PATH],
  ['POST', PATH],
  ['POST', REGENERATE],
] as const)('%s %s needs a login', async (method, path) => {
  const { request } = await startAuth()
  expect(await request.call(method, path)).toMatchReply(401, NOT_PROVIDED)
})

test('who has no MFA has no codes, and cannot make any', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  expect(await request.get(PATH, { token })).toMatchReply(200, { codes: [] })
  expect(await request.post(PATH, {}, { token })).toMatchReply(200, { codes: [] })
  const refused = { detail: 'MFA is not enabled.' }
  expect(await request.post(REGENERATE, {}, { token })).toMatchReply(400, refused)
  expect(await request.get(PATH, { token })).toMatchReply(200, { codes: [] })
})

test('each code logs in once, and is then shown no more', async () => {
  const auth = await startAuth()
  const { codes, token } = await createUserWithMfa(auth, 'ada')
  const [first, ...rest] = codes
  expect(await auth.request.get(PATH, { token })).toMatchReply(200, { codes })
  expect(await logIn(auth, first)).toMatchReply(200, KEY)
  expect(await logIn(auth, first)).toMatchReply(400, WRONG_CODE)
  expect(await auth.request.get(PATH, { token })).toMatchReply(200, { codes: rest })
  expect(await auth.request.post(PATH, undefined, { token })).toMatchReply(200, { codes: rest })
})

test.each([
  ['in capitals', (code: string) => code.toUpperCase()],
  ['without its dash', (code: string) => code.replace('-', '')],
  ['with spaces', (code: string) => ` ${[...code.replace('-', '')].join(' ')} `],
  [
    'with letters that look like digits',
    (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'l'),
  ],
])('a code is accepted %s, and is then spent in every spelling', async (_, spelt) => {
  const auth = await startAuth()
  const { codes } = await createUserWithMfa(auth, 'ada')
  const code = codes[0] ?? ''
  expect(await logIn(auth, spelt(code))).toMatchReply(200, KEY)
  expect(await logIn(auth, code)).toMatchReply(400, WRONG_CODE)
  expect(await logIn(auth, spelt(code))).toMatchReply(400, WRONG_CODE)
})

test('a code of another user is wrong, and still works for its owner', async () => {
  const auth = await startAuth()
  const ada = await createUserWithMfa(auth, 'ada')
  const bob = await createUserWithMfa(auth, 'bob')
  expect(await logIn(auth, bob.codes[0])).toMatchReply(400, WRONG_CODE)
  expect(await auth.request.get(PATH, { token: bob.token })).toMatchReply(200, { codes: bob.codes })
  expect(await logIn(auth, ada.codes[0])).toMatchReply(200, KEY)
})

test('new codes void the old ones, and the owner gets a mail', async () => {
  const auth = await startAuth()
  const { codes, token } = await createUserWithMfa(auth, 'ada')
  const reply = await auth.request.post(REGENERATE, {}, { token })
  expect(reply).toMatchReply(200, {
    codes: Array(10).fill(expect.stringMatching(RECOVERY_CODE)),
  })
  const fresh = (reply.body as { codes: string[] }).codes
  expect(fresh.filter((code) => codes.includes(code))).toEqual([])
  expect(await logIn(auth, codes[0])).toMatchReply(400, WRONG_CODE)
  expect(await logIn(auth, fresh[0])).toMatchReply(200, KEY)
  const letters = await auth.mail.letters()
  const notices = letters.filter(({ template }) => template === 'recovery-codes-regenerated')
  expect(notices.map(({ to }) => to)).toEqual(['ada@example.com'])
})

test('as many codes as the settings say', async () => {
  const auth = await startAuth({ REST_AUTH: { MFA_RECOVERY_CODE_COUNT: 3 } })
  const { codes, token } = await createUserWithMfa(auth, 'ada')
  expect(codes).toHaveLength(3)
  const status = await auth.request.get('mfa/status/', { token })
  expect(status.body).toMatchObject({ recovery_codes_left: 3 })
})

test('codes that were brought along from the original are accepted in its form', async () => {
  const auth = await startAuth()
  const { token } = await createUserWithMfa(auth, 'ada')
  const secretKey = auth.settings.SECRET_KEY ?? ''
  const recoveryCodes = createRecoveryCodes({
    keyedDigest: createKeyedDigest(secretKey, [], 'recovery-codes'),
    sealedBox: createSealedBox(secretKey, []),
    log: auth.auth.log,
    count: 10,
  })
  const imported = ['318f-7ff0', '2888-379e', '1234-5678']
  const ada = await auth.findUser('ada')
  await transaction(auth.handle, (tx) => recoveryCodes.replace(ada?.id ?? 0, tx, imported))

  expect(await auth.request.get(PATH, { token })).toMatchReply(200, { codes: imported })
  for (const code of ['318F-7FF0', '2888379e', '1234 5678']) {
    expect(await logIn(auth, code)).toMatchReply(200, KEY)
    expect(await logIn(auth, code)).toMatchReply(400, WRONG_CODE)
  }
})

test('secrets and codes outlive a change of the secret key that keeps the old one', async () => {
  const auth = await startAuth({}, { shared: true })
  const { codes, secret, token } = await createUserWithMfa(auth, 'ada')
  const SECRET_KEY = 'another secret key, which is long enough too'
  const SECRET_KEY_FALLBACKS = [auth.settings.SECRET_KEY]
  const next = await startAuth({ SECRET_KEY, SECRET_KEY_FALLBACKS }, { beside: auth })
  expect(await next.request.get(PATH, { token })).toMatchReply(200, { codes })
  expect(await logIn(next, codes[0])).toMatchReply(200, KEY)
  expect(await logIn(next, codeOf(next, secret))).toMatchReply(200, KEY)
})

test('secrets and codes that nobody can open any more let nobody in', async () => {
  const auth = await startAuth({}, { shared: true })
  const { codes, secret } = await createUserWithMfa(auth, 'ada')
  const SECRET_KEY = 'another secret key, which is long enough too'
  const next = await startAuth({ SECRET_KEY }, { beside: auth })
  expect(await logIn(next, codes[0])).toMatchReply(400, WRONG_CODE)
  expect(await logIn(next, codeOf(next, secret))).toMatchReply(400, WRONG_CODE)
})
