import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { STRONG, twice } from '../../support/accounts.ts'
import type { RequestOptions } from '../../support/authenticator.ts'
import { deployments, hasDeployments, startTakenOver } from '../../support/django.ts'
import { useOf } from '../../support/django-passkey.ts'
import { bearer } from '../../support/jwt.ts'
import { codeOf } from '../../support/mfa.ts'

/** Collects what answers otherwise than the original would. */
function judge() {
  const wrong: unknown[] = []
  let count = 0
  return {
    wrong,
    count: () => count,
    note(isGood: boolean, works: boolean, ...about: unknown[]) {
      count += 1
      if (isGood !== works) wrong.push([works, ...about])
    },
  }
}

describe.skipIf(!hasDeployments).each(deployments)('after the import of %s', (deployment) => {
  test('every token, session and JWT works that worked, and no other', async () => {
    const { request, live } = await startTakenOver(deployment)
    const { wrong, note, count } = judge()
    for (const { pk, token, is_active, sessions, jwts } of live.users) {
      const isThem = async (options: object) => {
        const { status, body } = await request.get('user/', options)
        return status === 200 && (body as { pk: unknown }).pk === pk
      }
      if (token) note(await isThem({ token }), is_active, pk, 'token')
      for (const { sessionid, works, why_not } of sessions) {
        note(await isThem({ cookies: { sessionid } }), works, pk, 'session', why_not)
      }
      for (const { type, token, works, why_not } of jwts) {
        const isGood =
          type === 'access'
            ? await isThem(bearer(token))
            : (await request.post('token/refresh/', { refresh: token })).status === 200
        note(isGood, works, pk, type, why_not)
      }
    }
    expect(wrong).toEqual([])
    expect(count()).toBeGreaterThan(200)

    for (const { token, jwts } of live.deleted_users) {
      for (const options of [{ token }, ...jwts.map((jwt) => bearer(jwt.token))]) {
        expect((await request.get('user/', options)).status).toBe(401)
      }
    }
  })

  test('every passkey logs its owner in, once per count', async () => {
    const { request, live } = await startTakenOver(deployment)
    const begin = async (body: object) =>
      (await request.post('passkeys/login/begin/', body)).body as RequestOptions
    const complete = async (credential: object, { session_id }: RequestOptions) =>
      (await request.post('passkeys/login/complete/', { credential, session_id })).status
    const owners = live.users.filter(({ passkeys }) => passkeys.length > 0)
    expect(owners.length).toBeGreaterThan(3)
    for (const { email, passkeys } of owners) {
      for (const passkey of passkeys) {
        const options = await begin(passkey.discoverable ? {} : { email })
        const credential = useOf(passkey, options)
        expect(await complete(credential, options)).toBe(200)
        const again = await begin({})
        const isCopy = passkey.counts || !passkey.discoverable
        expect(await complete(useOf(passkey, again), again)).toBe(isCopy ? 400 : 200)
      }
    }
  })

  test('reset links that were mailed before work once, and die as they did there', async () => {
    const { request, live } = await startTakenOver(deployment)
    const { wrong, note } = judge()
    const confirm = async (link: object) =>
      (await request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })).status
    for (const { pk, resets } of live.users) {
      const [first, second] = resets
      if (!first) continue
      const { uid, token, works, why_not } = first
      note((await confirm({ uid, token })) === 200, works, pk, why_not)
      expect(await confirm({ uid, token })).toBe(400)
      // The first one has changed the password.
      if (second) expect(await confirm({ uid: second.uid, token: second.token })).toBe(400)
    }
    expect(wrong).toEqual([])
  })

  test('keys that were mailed to confirm an address work once', async () => {
    const { request, live } = await startTakenOver(deployment)
    const { wrong, note } = judge()
    const verify = async (key: string) =>
      (await request.post('registration/verify-email/', { key })).status
    for (const { pk, email_keys } of live.users) {
      for (const { key, works, why_not } of email_keys) {
        note((await verify(key)) === 200, works, pk, why_not)
      }
    }
    expect(wrong).toEqual([])
  })

  test('authenticator apps and unused recovery codes are a second factor', async () => {
    const started = await startTakenOver(deployment)
    const { request, live, clock } = started
    const holder = live.users.find(
      ({ totp, recovery_codes, is_active }) => totp && recovery_codes && is_active,
    )
    const { email, password, totp, recovery_codes: codes } = holder ?? {}
    if (!totp || !codes) throw new Error('Nobody has both.')
    const verify = async (code: string) => {
      clock.advance(MINUTE)
      const { body } = await request.post('login/', { email, password })
      const { ephemeral_token } = body as { ephemeral_token: string }
      const given = code === 'app' ? codeOf(started, totp.secret) : code
      return (await request.post('mfa/verify/', { ephemeral_token, code: given })).status
    }
    const [unused = ''] = codes.unused
    expect(await verify('app')).toBe(200)
    expect(await verify(unused)).toBe(200)
    expect(await verify(unused)).toBe(400)
    for (const used of codes.used.slice(0, 1)) expect(await verify(used)).toBe(400)
  })
})
