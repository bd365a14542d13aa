import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { startPair } from '../../../../../scripts/torture/parts/postgres-pair.js'
import { connect } from '../../../src/storage/connect.ts'
import { primaryUrl } from '../../../src/storage/postgres-primary.ts'
import { newCli } from '../../cli/support/cli.ts'
import { signup } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { onDirectPostgres } from '../../support/postgres.ts'
import { startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: signup('ada').password1 }
const DEADLINES = { DATABASE_READ_TIMEOUT: '2s', DATABASE_WRITE_TIMEOUT: '5s' }

describe.runIf(onDirectPostgres)('a primary and its stand-by', () => {
  let pair: Awaited<ReturnType<typeof startPair>>

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-pair-'))
    pair = await startPair(folder)
    return async () => {
      await pair.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('a start that finds only stand-bys says so, and ends', async () => {
    const { run } = await newCli()
    const standBy = `127.0.0.1:${pair.standBy}`
    for (const hosts of [standBy, `127.0.0.1:1,${standBy}`]) {
      const env = {
        DATABASE_URL: `postgres://latchkey@${hosts}/latchkey`,
        SECRET_KEY: 'x'.repeat(32),
      }
      const { code, stderr } = await run(['serve', '--set', 'PORT=0'], { env })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^The database postgres:.* cannot be used: .*stand-by.*\n$/)
    }
  })

  test('a pool that is only busy goes on with the one that it knows', async () => {
    const operator = new pg.Client(pair.urlOf(pair.primary))
    await operator.connect()
    await operator.query("create role limited login password 'latchkey' connection limit 10")
    const { db, close } = connect({
      DATABASE_URL: pair.url().replace('latchkey:latchkey@', 'limited:latchkey@'),
      DATABASE_READ_TIMEOUT: 500,
      DATABASE_WRITE_TIMEOUT: 5000,
    })
    const read = () => sql`select ${1}::int`.execute(db)
    await read()
    const long = Array.from({ length: 10 }, () =>
      db.transaction().execute((tx) => sql`select pg_sleep(1), ${1}::int`.execute(tx)),
    )
    await expect(read()).rejects.toThrow('timeout')
    await Promise.all(long)
    await read()
    await close()
    await operator.end()
  })

  test('the one that accepts writes is used, also after the other is lost', async () => {
    expect(await primaryUrl(pair.url())).toBe(pair.urlOf(pair.primary))
    const { request } = await startAuth({ ...DEADLINES, DATABASE_URL: pair.url() })
    const logIn = () => request.post('login/', credentials)
    expect((await request.post('registration/', signup('ada'))).status).toBe(201)
    expect(await logIn()).toMatchReply(200, KEY)

    await pair.killPrimary()
    expect(await logIn()).toMatchReply(503, UNAVAILABLE)
    expect(await request.get('/readyz')).toMatchReply(503, UNAVAILABLE)
    await pair.promote()
    await vi.waitFor(async () => expect(await logIn()).toMatchReply(200, KEY), 20_000)
    expect((await request.post('registration/', signup('bob'))).status).toBe(201)
    expect((await request.get('/readyz')).status).toBe(200)
  })
})
