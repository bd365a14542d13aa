import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { derivedKey } from '../../../src/crypto/digests.ts'
import { createResetTokens } from '../../../src/features/passwords/password-reset.ts'
import { DAY, HOUR, MINUTE } from '../../../src/kernel/clock.ts'
import { uidOf } from '../../../src/kernel/ids.ts'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { SECRET_KEY, type StillClock, startAuth } from '../../support/start-auth.ts'

const BAD_TOKEN = { token: ['Invalid value'] }
const ADA = 'ada@example.com'
const LEAKED = 'a key that was replaced because it leaked'

async function start(settings: object = {}) {
  const auth = await startAuth(settings, { shared: true })
  const ada = await auth.createUser({ username: 'ada', email: ADA, verified: true })
  const confirm = (token: string, uid = uidOf(ada.id)) =>
    auth.request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  /** A token from somebody who knows the algorithm, the user and a key. */
  const forge = (secretKey: string, lifetimeMs: number, clock: Pick<StillClock, 'now'>) =>
    createResetTokens({ secretKey, clock, lifetimeMs }).make(ada)
  return { ...auth, ada, confirm, forge }
}

test('a token has the shape that Django gives it, with 128 bits in its second half', async () => {
  const auth = await start()
  const { token } = await requestReset(auth, ADA)
  expect(token).toMatch(/^[0-9A-Za-z]{1,13}-[0-9A-Za-z]{1,32}$/)
  expect(token).toMatch(/^[0-9a-z]+-[0-9a-f]{32}$/)
})

test('the key in use signs, and a former one does not', async () => {
  const auth = await start({ SECRET_KEY_FALLBACKS: [LEAKED] })
  const { confirm, forge, clock } = auth
  expect(await confirm(forge(LEAKED, HOUR, clock))).toMatchReply(400, BAD_TOKEN)
  expect(await confirm(forge(LEAKED, MINUTE, clock))).toMatchReply(400, BAD_TOKEN)
  expect((await confirm(forge(SECRET_KEY, HOUR, clock))).status).toBe(200)
})

test('a link that was sent before the key was replaced is dead', async () => {
  const before = await start()
  const { token, uid } = await requestReset(before, ADA)
  const settings = {
    SECRET_KEY: 'the key that took its place, as long',
    SECRET_KEY_FALLBACKS: [SECRET_KEY],
  }
  const after = await startAuth(settings, { beside: before })
  const body = { uid, token, ...twice(STRONG) }
  expect(await after.request.post('password/reset/confirm/', body)).toMatchReply(400, BAD_TOKEN)
})

test('a link that an earlier version has mailed still works', async () => {
  const { ada, confirm, clock } = await start()
  const end = (clock.now() + HOUR).toString(36)
  const signed = JSON.stringify([ada.id, ada.epoch, ada.last_login_at, ADA, end])
  const hmac = createHmac('sha256', derivedKey(SECRET_KEY, 'password-reset')).update(signed)
  expect((await confirm(`${end}-${hmac.digest('hex').slice(0, 32)}`)).status).toBe(200)
})

test.each([
  ['a moment too long', HOUR + 1],
  ['ten years', 3650 * DAY],
  ['for ever', Number.MAX_SAFE_INTEGER / 2],
])('a token that says it is good for %s is refused, however well signed', async (_, lifetimeMs) => {
  const { confirm, forge, clock } = await start()
  expect(await confirm(forge(SECRET_KEY, lifetimeMs, clock))).toMatchReply(400, BAD_TOKEN)
})

test('a shorter PASSWORD_RESET_TIMEOUT holds for links that are on their way, too', async () => {
  const before = await start()
  const { token, uid } = await requestReset(before, ADA)
  const after = await startAuth({ PASSWORD_RESET_TIMEOUT: '10m' }, { beside: before })
  const body = { uid, token, ...twice(STRONG) }
  expect(await after.request.post('password/reset/confirm/', body)).toMatchReply(400, BAD_TOKEN)
})

test('a token that is changed anywhere is none', async () => {
  const auth = await start()
  const { token } = await requestReset(auth, ADA)
  const [end = '', signature = ''] = token.split('-')
  const sooner = (Number.parseInt(end, 36) - 1).toString(36)
  const flipped = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const changed = [
    `${sooner}-${signature}`,
    `0${end}-${signature}`,
    `${end.toUpperCase()}-${signature}`,
    `${end}-${signature.toUpperCase()}`,
    `${end}-${flipped}`,
    `${end}-${signature.slice(1)}`,
    `${end}-`,
    `-${signature}`,
    `${end}-${signature}0`,
    `${token}\n`,
  ]
  for (const bad of changed.filter((one) => one !== token)) {
    expect(await auth.confirm(bad)).toMatchReply(400, BAD_TOKEN)
  }
  expect((await auth.confirm(token)).status).toBe(200)
})
