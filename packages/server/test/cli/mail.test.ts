import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/core/metrics.ts'
import { createSealedBox } from '../../src/crypto/sealed-box.ts'
import { createOutbox } from '../../src/features/mail/outbox.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import { newCli } from './support/cli.ts'

const SECRET_KEY = 'a secret key for tests only, long enough'
const env = { SECRET_KEY }

async function newCliWithMail() {
  const cli = await newCli()
  const run = (...args: string[]) => cli.run(args, { env })
  await run('migrate')
  const sealedBox = createSealedBox(SECRET_KEY, [])
  const noticeLimits = { mayNotify: async () => true }
  const outbox = createOutbox({
    onMail: () => {},
    sealedBox,
    noticeLimits,
    farewellLimits: noticeLimits,
    clock: systemClock,
    metrics: createMetrics(),
  })
  const mail = { to: 'ada@example.com', template: 'verify-email', values: {} } as const
  const letter = { ...mail, userId: null }
  await cli.inDatabase(async ({ db }) => {
    await outbox.post(letter, handleOf<Db>(db))
    await db.updateTable('outbox').set({ state: 'dead', attempts: 9 }).execute()
  })
  return { run, inDatabase: cli.inDatabase }
}

test('mails that were given up are listed, and sent again when asked for', async () => {
  const { run, inDatabase } = await newCliWithMail()
  const [mail] = JSON.parse((await run('mail', 'list', '--json')).stdout)
  expect(mail).toMatchObject({
    state: 'dead',
    to: 'ada@example.com',
    letter: 'verify-email',
    tries: 9,
    next_try: null,
  })
  expect((await run('mail', 'list')).stdout).toMatch(/^ID .*\n\w+ +dead +ada@example\.com /)
  expect((await run('mail', 'retry', mail.id)).stdout).toBe('The service sends 1 mail now.\n')
  await inDatabase(async ({ db }) => {
    const rows = await db.selectFrom('outbox').select(['state', 'attempts']).execute()
    expect(rows).toEqual([{ state: 'queued', attempts: 0 }])
    const audited = await db.selectFrom('audit_events').select(['event', 'operator_kind']).execute()
    expect(audited).toEqual([{ event: 'mails_retried', operator_kind: 'cli' }])
  })
})

test('the list has no end before the last mail', async () => {
  const { run, inDatabase } = await newCliWithMail()
  await inDatabase(({ db }) =>
    sql`insert into outbox (id, state, attempts, created_at, due_at, sealed_letter)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1200)
      select 'copy-' || n, state, attempts, created_at, due_at, sealed_letter from outbox, numbers`.execute(
      db,
    ),
  )
  const mails = JSON.parse((await run('mail', 'list', '--json')).stdout)
  expect(new Set(mails.map(({ id }: { id: string }) => id)).size).toBe(1201)
})

test('a mail that is not there cannot be sent', async () => {
  const { run } = await newCliWithMail()
  expect(await run('mail', 'retry', 'nope')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no undelivered mail "nope".\n',
  })
})
