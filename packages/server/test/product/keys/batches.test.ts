import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { formerKeyFindings } from '../../../src/features/administration/findings/sealed-findings.ts'
import { type Db, handleOf } from '../../../src/storage/handle.ts'
import { readPatiently } from '../../../src/storage/transaction.ts'
import { createUserWithMfa } from '../../support/mfa.ts'
import { inDatabase, newSqlite } from '../../support/moves.ts'
import {
  connectBeside,
  onDirectPostgres,
  onPostgres,
  waitForWaiter,
} from '../../support/postgres.ts'
import { SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const NEW_KEY = 'another secret key for tests, long enough'
const KEYS = { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] }
/** As many statements as fit into the deadline of a transaction when each takes 200 ms. */
const MOST = 25

test('values are resealed in small batches, which end in time even with a slow database', async () => {
  const before = await startAuth({ REST_AUTH: { MFA_RECOVERY_CODE_COUNT: 50 } }, { shared: true })
  await createUserWithMfa(before, 'ada')
  const { reseal } = (await startAuth(KEYS, { beside: before })).auth.services
  const all = await reseal.countOutdated()

  const seen = [0]
  await reseal.run(
    (count) => seen.push(count),
    () => false,
  )
  expect(seen.at(-1)).toBe(all)
  const sizes = seen.slice(1).map((count, i) => count - (seen[i] ?? 0))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST)
  expect(await reseal.countOutdated()).toBe(0)
})

test('on SQLite others write while a whole table is read', async () => {
  const url = await newSqlite()
  await inDatabase(url, async ({ patientDb }) => {
    await sql`create table notes (text text)`.execute(patientDb)
    const write = () => inDatabase(url, ({ db }) => sql`insert into notes values ('')`.execute(db))
    await readPatiently(handleOf<Db>(patientDb), write)
  })
})

// Through a pooler, a single statement has no deadline of the server that could show that time has passed.
test.runIf(onDirectPostgres)(
  'a table that takes longer than a request may wait is read to its end',
  async () => {
    const before = await startAuth({}, { shared: true })
    await createUserWithMfa(before, 'ada')
    const deadlines = { DATABASE_READ_TIMEOUT: '1s', DATABASE_WRITE_TIMEOUT: '1s' }
    const { auth } = await startAuth({ ...KEYS, ...deadlines }, { beside: before })
    const { reseal } = auth.services
    const operator = await connectBeside(before)
    /** Holds a table until every deadline has passed. */
    const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
      await operator.query('begin; lock table tokens')
      const working = work()
      await waitForWaiter(operator)
      const { db, patientDb } = auth.connection
      await Promise.all(
        [db, patientDb].map((handle) =>
          expect(sql`select 1 from tokens`.execute(handle)).rejects.toThrow(),
        ),
      )
      await operator.query('rollback')
      return working
    }
    const all = await slowly(reseal.countOutdated)
    expect(all).toBe(await reseal.countOutdated())
    const run = () => reseal.run(vi.fn(), () => false)
    expect(await slowly(run)).toMatchObject({ resealed: all, isDone: true })
  },
)

test.runIf(onPostgres)(
  'a check still answers if such a table cannot be counted in time',
  async () => {
    const before = await startAuth({}, { shared: true })
    await before.createUserWithToken('ada')
    const settings = { ...KEYS, DATABASE_READ_TIMEOUT: '1s' }
    const { auth } = await startAuth(settings, { beside: before })
    const operator = await connectBeside(before)
    await operator.query('begin; lock table tokens')
    expect(await formerKeyFindings(auth.services)).toMatchObject([
      { says: 'the values of former keys could not be counted in time' },
    ])
    await operator.query('rollback')
    expect(await formerKeyFindings(auth.services)).toMatchObject([
      { says: '1 value is still sealed with a former key' },
    ])
  },
)
