import { expect, test } from 'vitest'
import { createCeremonies } from '../../../src/features/passkeys/ceremonies.ts'
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

test('where every place is taken, the newest login takes that of another', async () => {
  const { handle, db, clock } = await startAuth()
  const ceremonies = createCeremonies({ db: handle, clock, lifetimeMs: 60_000, loginsMax: 4 })
  const begun: { challenge: string; id: string }[] = []
  for (let n = 0; n < 100; n++) begun.push(await ceremonies.begin('login', null, null))
  expect(await countRows(db, 'passkey_challenges')).toBe(4)

  const complete = ({ id }: { id: string }) => ceremonies.answer({ kind: 'login', id })
  const newest = begun.at(-1) ?? { challenge: '', id: '' }
  expect((await complete(newest))?.isChallenge(newest.challenge)).toBe(true)
  expect(await complete(newest)).toBeNull()
  // The three remaining ones still work, and the others do not affect them.
  const good = []
  for (const one of begun) if (await complete(one)) good.push(one)
  expect(good).toHaveLength(3)
  expect(await countRows(db, 'passkey_challenges')).toBe(0)
})

test('a place whose login has expired is free, and nobody loses another', async () => {
  const { handle, db, clock } = await startAuth()
  const ceremonies = createCeremonies({ db: handle, clock, lifetimeMs: 60_000, loginsMax: 1 })
  const expired = await ceremonies.begin('login', null, null)
  clock.advance(60_000)
  const { id } = await ceremonies.begin('login', null, null)
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
  expect(await ceremonies.answer({ kind: 'login', id: expired.id })).toBeNull()
  expect(await ceremonies.answer({ kind: 'login', id })).not.toBeNull()
})
