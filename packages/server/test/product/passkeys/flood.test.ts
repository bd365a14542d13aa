import { expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import { beginLogin } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const PLACES = 200_000

test('a login that was begun has one of a bounded number of places', async () => {
  const { request, db } = await startAuth({ ACCOUNT: { RATE_LIMITS: { passkey_begin: 'none' } } })
  for (let n = 0; n < 100; n++) await beginLogin(request)
  const rows = await db.selectFrom('passkey_challenges').select('key').execute()
  expect(rows).toHaveLength(100)
  for (const { key } of rows) {
    expect(Number(/^login:(\d+)$/.exec(key)?.[1])).toBeLessThan(PLACES)
  }
})

test('who knows only the place of a login cannot end it', async () => {
  const { request, db } = await startAuth()
  const { session_id } = await beginLogin(request)
  const guess = `${session_id.slice(0, 8)}${'0'.repeat(24)}`
  const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
  const reply = await request.post('passkeys/login/complete/', { credential, session_id: guess })
  expect(reply.status).toBe(400)
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
})
