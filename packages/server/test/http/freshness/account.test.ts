import { describe, expect, test } from 'vitest'
import { unusablePassword } from '../../../src/crypto/password-hash/password-hasher.ts'
import { STALE, STALE_AFTER } from '../../support/freshness.ts'
import { modes, startMode } from '../../support/modes.ts'
import { PASSWORD, type StartedAuth } from '../../support/start-auth.ts'

const LONG = { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' } }
const ON = { ...LONG, ACCOUNT: { DELETION: true } }
const DELETED = { detail: 'Account deleted.' }

/** As those who came by a provider or by a passkey. */
const takePassword = ({ db }: StartedAuth) =>
  db.updateTable('users').set({ password: unusablePassword() }).execute()

describe.each(modes)('with the credential of mode %s', (mode) => {
  test('users with a password may leave with a stale one', async () => {
    const { logIn, clock } = await startMode(mode, ON)
    const ada = await logIn()
    clock.advance(STALE_AFTER)
    expect(await ada.post('account/delete/', { password: PASSWORD })).toMatchReply(200, DELETED)
  })

  test('unless the service asks everybody for a fresh one', async () => {
    const settings = { ...LONG, ACCOUNT: { DELETION: true, REAUTHENTICATION_REQUIRED: true } }
    const { logIn, clock, mail } = await startMode(mode, settings)
    const ada = await logIn()
    clock.advance(STALE_AFTER)
    expect(await ada.post('account/delete/', { password: PASSWORD })).toMatchReply(...STALE)
    expect((await ada.get('user/')).status).toBe(200)
    expect(await mail.letters()).toEqual([])
    await ada.post('reauthenticate/', { password: PASSWORD })
    expect(await ada.post('account/delete/', { password: PASSWORD })).toMatchReply(200, DELETED)
  })

  test('users without a password leave with a fresh one only', async () => {
    const started = await startMode(mode, ON)
    const ada = await started.logIn()
    await takePassword(started)
    started.clock.advance(STALE_AFTER)
    expect(await ada.post('account/delete/', {})).toMatchReply(...STALE)
    expect(await ada.post('account/delete/', { password: PASSWORD })).toMatchReply(...STALE)
    expect((await ada.get('user/')).status).toBe(200)
  })

  test('and with a fresh one they need no password', async () => {
    const started = await startMode(mode, ON)
    const ada = await started.logIn()
    await takePassword(started)
    started.clock.advance(STALE_AFTER - 1)
    expect(await ada.post('account/delete/', {})).toMatchReply(200, DELETED)
  })

  test('an export always wants a fresh one', async () => {
    const { logIn, clock } = await startMode(mode, LONG)
    const ada = await logIn()
    clock.advance(STALE_AFTER - 1)
    expect((await ada.get('account/export/')).status).toBe(200)
    clock.advance(1)
    expect(await ada.get('account/export/')).toMatchReply(...STALE)
    await ada.post('reauthenticate/', { password: PASSWORD })
    expect((await ada.get('account/export/')).status).toBe(200)
  })
})
