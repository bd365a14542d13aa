import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../server/src/kernel/clock.ts'
import { STRONG, twice } from '../../../server/test/support/accounts.ts'
import type { RequestOptions } from '../../../server/test/support/authenticator.ts'
import { bearer } from '../../../server/test/support/jwt.ts'
import { codeOf } from '../../../server/test/support/mfa.ts'
import { everyDeployment, startImported } from '../support/django.ts'
import { judge, judgeCredentials } from '../support/django-judge.ts'
import type { Live } from '../support/django-live.ts'
import { useOf } from '../support/django-passkey.ts'
import { vectors } from '../support/django-project.ts'

// The tests of a deployment share one import, and follow each other: a reset link would prove an
// address, and a login would end the reset links.
describe.each(everyDeployment)('after the import of %s', (deployment) => {
  let imported: Awaited<ReturnType<typeof startImported>>
  beforeAll(async () => {
    imported = await startImported(deployment, { atTheEnd: afterAll })
  })

  test('every token, session and JWT works that worked, and no other', async () => {
    const { request, live } = imported
    const { wrong, count } = await judgeCredentials(request, live)
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(30)

    for (const { token, jwts } of live.deleted_users) {
      for (const options of [{ token }, ...jwts.map((jwt) => bearer(jwt.token))]) {
        expect((await request.get('user/', options)).status).toBe(401)
      }
    }
  })

  test('keys that were mailed to confirm an address work once', async () => {
    const { request, live } = imported
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

  test('reset links that were mailed before work once, and die as they did there', async () => {
    const { request, live } = imported
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

  test('every passkey logs its owner in, once per count', async () => {
    const { request, live } = imported
    const begin = async (body: object) =>
      (await request.post('passkeys/login/begin/', body)).body as RequestOptions
    const complete = async (credential: object, { session_id }: RequestOptions) =>
      (await request.post('passkeys/login/complete/', { credential, session_id })).status
    const owners = live.users.filter(({ passkeys }) => passkeys.length > 0)
    expect(owners.length).toBeGreaterThan(1)
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

  test('authenticator apps and unused recovery codes are a second factor', async () => {
    // Hashes of the original take long on purpose, and there are many logins.
    const sql = ({ user_table }: Live) =>
      `update ${user_table} set password = '${vectors.passwordHash}';`
    const started = await startImported(deployment, { sql })
    const { request, live, clock } = started
    const { wrong, note, count } = judge()
    for (const { pk, email, totp, recovery_codes: codes, is_active } of live.users) {
      if (!totp || !is_active) continue
      const verify = async (code: string) => {
        clock.advance(MINUTE)
        const { body } = await request.post('login/', { email, password: vectors.password })
        const { ephemeral_token } = body as { ephemeral_token: string }
        const given = code === 'app' ? codeOf(started, totp.secret) : code
        return (await request.post('mfa/verify/', { ephemeral_token, code: given })).status === 200
      }
      const { unused = [], used = [] } = codes ?? {}
      const tried = [...new Set([...unused.slice(0, 1), ...unused.slice(-1)])]
      note(await verify('app'), true, pk, 'app')
      for (const code of tried) note(await verify(code), true, pk, 'unused code')
      for (const code of [...used, ...tried]) note(await verify(code), false, pk, 'used code')
    }
    expect(wrong).toEqual([])
    expect(count()).toBeGreaterThan(10)
  })
})
