import { expect, test } from 'vitest'
import type { RequestOptions } from '../../../server/test/support/authenticator.ts'
import { startImported } from '../support/django.ts'
import type { Live } from '../support/django-live.ts'
import { coseOf, type KeptPasskey, useOf } from '../support/django-passkey.ts'
import { insertInto } from '../support/django-tables.ts'

const ES256 = -7

/** The table of dj-rest-auth 7.2 instead of allauth's. Handles are the plain pk there. */
function inOwnTable(live: Live): string {
  const rows = live.users.flatMap(({ pk, passkeys }) =>
    passkeys
      .filter(({ alg }) => alg === ES256)
      .map((passkey) => {
        passkey.user_handle = Buffer.from(String(pk)).toString('base64url')
        return {
          user_id: pk,
          name: 'Phone',
          credential_id: Buffer.from(passkey.credential_id, 'base64url'),
          public_key: coseOf(passkey),
          sign_count: passkey.sign_count_now,
          transports: { json: ['internal'] },
          discoverable: passkey.discoverable,
          created_at: new Date(0),
        }
      }),
  )
  return `delete from mfa_authenticator;
    ${insertInto('passkeys_webauthncredential', rows)}`
}

test('passkeys of dj-rest-auth 7.2 log in, also those that are synchronised, and their flags then stay', async () => {
  const { request, live, report } = await startImported('default', { sql: inOwnTable })
  const begin = async () => (await request.post('passkeys/login/begin/', {})).body as RequestOptions
  const use = async (passkey: KeptPasskey) => {
    const options = await begin()
    const given = { credential: useOf(passkey, options), session_id: options.session_id }
    return (await request.post('passkeys/login/complete/', given)).status
  }
  expect(report.lost).toBeLessThan(5)
  const synced = live.users
    .filter(({ is_active }) => is_active)
    .flatMap(({ passkeys }) => passkeys)
    .filter(({ alg, discoverable }) => alg === ES256 && discoverable)
  expect(synced.some((passkey) => passkey.backup_eligible_and_state)).toBe(true)
  for (const passkey of synced) {
    const grown = { ...passkey, sign_count_now: passkey.sign_count_now + 1 }
    const isSynced = passkey.backup_eligible_and_state
    expect(await use(passkey)).toBe(200)
    expect(await use({ ...grown, backup_eligible_and_state: !isSynced })).toBe(400)
    expect(await use(grown)).toBe(200)
  }
})
