import { expect, test } from 'vitest'
import { countRows } from '../support/dump.ts'
import { planOf, watchQueries } from '../support/query-plans.ts'
import { type StartedAuth, startAuth } from '../support/start-auth.ts'

const DAY = 86_400_000

/** Proofs that were spent long ago. */
async function leaveRows({ db, clock }: StartedAuth, count: number, name = 'old'): Promise<void> {
  const at = clock.now() - 2 * DAY
  for (let first = 0; first < count; first += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - first) }, (_, n) => ({
      digest: `${name}-${first + n}`,
      expires_at: at - n,
    }))
    await db.insertInto('spent_proofs').values(rows).execute()
  }
}

async function sweptRows({ auth }: StartedAuth, table: string): Promise<number> {
  const line = new RegExp(`latchkey_swept_rows_total{table="${table}"} (\\d+)`)
  return Number(line.exec(await auth.metrics.text())?.[1] ?? 0)
}

test('many expired rows go in batches, between which requests are answered', async () => {
  const started = await startAuth()
  await leaveRows(started, 5000)
  await started.db
    .insertInto('spent_proofs')
    // If the clock was ahead by less than a day, its ID token becomes valid again.
    .values({ digest: 'young', expires_at: started.clock.now() - DAY + 1 })
    .execute()

  const sweeping = started.auth.sweep()
  expect((await started.request.get('csrf/')).status).toBe(200)
  expect(await sweptRows(started, 'spent_proofs')).toBeLessThan(5000)
  await sweeping
  expect(await sweptRows(started, 'spent_proofs')).toBe(5000)
  const left = await started.db.selectFrom('spent_proofs').select('digest').execute()
  expect(left).toEqual([{ digest: 'young' }])
})

test('a sweep that is told to stop leaves the rest for the next one', async () => {
  const started = await startAuth()
  await leaveRows(started, 2500)
  let asked = 0
  await started.auth.sweep(() => {
    asked += 1
    return asked > 5
  })
  const left = await countRows(started.db, 'spent_proofs')
  expect(left).toBeGreaterThan(0)
  await started.auth.sweep()
  expect(await countRows(started.db, 'spent_proofs')).toBe(0)
})

test('a table that cannot be swept is logged, and the others are swept', async () => {
  const lines: string[] = []
  const started = await startAuth({}, { onLogLine: (line) => lines.push(line) })
  const { db, request, clock } = started
  await leaveRows(started, 1)
  await request.post('passkeys/login/begin/', {})
  await request.post('password/reset/', { email: 'nobody@example.com' })
  clock.advance(DAY)
  await db.schema.alterTable('limits').renameTo('limits_elsewhere').execute()
  try {
    await started.auth.sweep()
  } finally {
    await db.schema.alterTable('limits_elsewhere').renameTo('limits').execute()
  }
  expect(lines.filter((line) => line.includes('sweep failed')).join()).toContain('"table":"limits"')
  for (const table of ['spent_proofs', 'passkey_challenges', 'outbox'] as const) {
    expect(await countRows(db, table)).toBe(0)
  }
  expect(await countRows(db, 'limits')).toBeGreaterThan(0)
})

test('a mail that was only pretended is gone with the next sweep', async () => {
  const { auth, db, request } = await startAuth()
  await request.post('password/reset/', { email: 'nobody@example.com' })
  expect(await countRows(db, 'outbox')).toBe(1)
  await auth.sweep()
  expect(await countRows(db, 'outbox')).toBe(0)
})

test('every sweep finds its rows by an index', async () => {
  const started = await startAuth()
  const queries = watchQueries(started)
  await started.auth.sweep()
  const deletions = queries.filter(({ sql: text }) => text.startsWith('delete from'))
  // The outbox has two sweeps: one for sent mails, and one for mails that were given up.
  expect(new Set(deletions.map(({ sql: text }) => text.split(' ')[2])).size).toBe(18)
  for (const deletion of deletions) {
    const plan = await planOf(started, deletion)
    const found = plan.match(/_by_(expiry|expires_at|due|time)|_in_order/g) ?? []
    // If the deletion itself searched it, too, PostgreSQL could choose the rows again for each row. Lines
    // of events are few, and another index of theirs has such a name.
    const isBounded = deletion.sql.startsWith('delete from event_lines')
    expect(isBounded ? found.slice(0, 1) : found, deletion.sql).toHaveLength(1)
  }
})
