import { expect, test } from 'vitest'
import { digest } from '../../../src/crypto/digests.ts'
import { dump } from '../../support/dump.ts'
import { challengeOf, codeOf, createUserWithMfa, offerOf, verify } from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

test('neither the database nor the log tells a secret, a code or a token', async () => {
  const lines: string[] = []
  const auth = await startAuth({}, { onLogLine: (line) => lines.push(line) })
  const bob = await auth.createUserWithToken('bob')
  const offer = await offerOf(auth, { token: bob })
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const [first, second] = [await challengeOf(auth, 'ada'), await challengeOf(auth, 'ada')]
  const code = codeOf(auth, secret)
  await verify(auth, first, code)
  await verify(auth, second, codes[0])
  await verify(auth, await challengeOf(auth, 'ada'), 'abcde-fghjk')
  const open = await challengeOf(auth, 'ada')

  const kept = [...(await dump(auth.db)), ...lines].join('\n').toLowerCase()
  const secrets = [
    secret,
    offer.secret,
    offer.activation_token,
    open,
    first,
    token,
    'abcde-fghjk',
    ...codes,
    ...codes.map((each) => each.replace('-', '')),
    // An attacker with the database must not find short secrets by trying all of them, either.
    ...codes.map((each) => digest(each)),
    ...codes.map((each) => digest(each.replace('-', ''))),
  ]
  for (const each of secrets) expect(kept).not.toContain(each.toLowerCase())
  expect(lines.join('')).not.toContain(code)
  expect(lines.join('')).toContain('mfa_verified')
})

test('what tells a secret is not kept by any cache', async () => {
  const auth = await startAuth()
  const { token } = await createUserWithMfa(auth, 'ada')
  for (const path of ['mfa/totp/activate/', 'mfa/recovery-codes/', 'mfa/status/']) {
    const reply = await auth.request.get(path, { token })
    expect(reply.headers['cache-control']).toBe('no-store')
  }
})

test('a sealed secret does not open in the row of somebody else', async () => {
  const auth = await startAuth()
  const ada = await createUserWithMfa(auth, 'ada')
  const bob = await createUserWithMfa(auth, 'bob')
  const rows = await auth.db.selectFrom('totp_authenticators').selectAll().execute()
  const [adas, bobs] = rows.toSorted((a, b) => a.user_id - b.user_id)
  await auth.db
    .updateTable('totp_authenticators')
    .set({ sealed_secret: bobs?.sealed_secret ?? '' })
    .where('user_id', '=', adas?.user_id ?? 0)
    .execute()
  const challenge = await challengeOf(auth, 'ada')
  for (const secret of [ada.secret, bob.secret]) {
    expect((await verify(auth, challenge, codeOf(auth, secret))).status).toBe(400)
  }
})
