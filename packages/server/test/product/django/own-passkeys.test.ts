import { describe, expect, test } from 'vitest'
import type { RequestOptions } from '../../support/authenticator.ts'
import { type CborValue, encodeCbor } from '../../support/cbor-encoder.ts'
import { hasDeployments, type Live, startTakenOver } from '../../support/django.ts'
import { type KeptPasskey, useOf } from '../../support/django-passkey.ts'
import { onPostgres } from '../../support/postgres.ts'

const ES256 = -7

/** The table of dj-rest-auth 7.2 instead of allauth's. Handles are the plain pk there. */
function inOwnTable(live: Live): string {
  const bytes = (hex: string) => (onPostgres ? `'\\x${hex}'` : `x'${hex}'`)
  const rows = live.users.flatMap(({ pk, passkeys }) =>
    passkeys
      .filter(({ alg }) => alg === ES256)
      .map((passkey) => {
        passkey.user_handle = Buffer.from(String(pk)).toString('base64url')
        const id = Buffer.from(passkey.credential_id, 'base64url').toString('hex')
        const key = coseOf(passkey).toString('hex')
        return `insert into passkeys_webauthncredential (user_id, name, credential_id, public_key,
          sign_count, transports, discoverable, created_at) values (${pk}, 'Phone', ${bytes(id)},
          ${bytes(key)}, ${passkey.sign_count_now}, '["internal"]', ${passkey.discoverable},
          '2026-01-02 03:04:05');`
      }),
  )
  const types = onPostgres
    ? { id: 'serial', bytes: 'bytea', time: 'timestamptz' }
    : { id: 'integer', bytes: 'blob', time: 'datetime' }
  return `delete from mfa_authenticator;
    create table passkeys_webauthncredential (id ${types.id} primary key, user_id integer,
      name text, credential_id ${types.bytes}, public_key ${types.bytes}, sign_count integer,
      transports text, discoverable bool, created_at ${types.time}, last_used_at ${types.time});
    ${rows.join('\n')}`
}

function coseOf({ private_key_jwk: { x = '', y = '' } }: KeptPasskey): Buffer {
  const coordinate = (text: string) => Buffer.from(text, 'base64url')
  const entries: [number, CborValue][] = [
    [1, 2],
    [3, ES256],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ]
  return Buffer.from(encodeCbor(new Map(entries)))
}

describe.skipIf(!hasDeployments)('passkeys of dj-rest-auth 7.2', () => {
  test('log in, also those that are synchronised, and their flags then stay', async () => {
    const { request, live, report } = await startTakenOver('default', { sql: inOwnTable })
    const begin = async () =>
      (await request.post('passkeys/login/begin/', {})).body as RequestOptions
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
})
