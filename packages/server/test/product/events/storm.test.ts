import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { AccountEvent } from '../../../src/core/hooks.ts'
import { SECOND } from '../../../src/kernel/clock.ts'
import { countRows } from '../../support/dump.ts'
import { deliver, hooksFor } from '../../support/events.ts'
import { onPostgres } from '../../support/postgres.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const USERS = ['ada', 'grace']
const LOGINS = 8

test.runIf(onPostgres)(
  'while users log in at two instances, and hooks fail, nothing is lost, doubled or out of order',
  async () => {
    const told: AccountEvent[] = []
    let calls = 0
    const hooks = hooksFor((event) => {
      calls += 1
      if (calls % 5 === 0) throw new Error('not now')
      told.push(event)
    })
    const first = await startAuth({}, { shared: true, hooks })
    const second = await startAuth({}, { beside: first, hooks })
    const instances = [first, second]
    for (const username of USERS) await first.createUser({ username })
    const happened = await keepOrder(first)

    let isOver = false
    const telling = (async () => {
      while (!isOver) {
        await Promise.all([...instances, ...instances].map(deliver))
        // Never during a round: a claim would be over, and its event told twice, as it should be.
        first.clock.advance(3 * SECOND)
        await nextTurn()
      }
    })()
    const logins = USERS.flatMap((username) =>
      Array.from({ length: LOGINS }, (_, n) =>
        instances[n % 2]?.request.post('login/', { username, password: PASSWORD }),
      ),
    )
    for (const reply of await Promise.all(logins)) expect(reply?.status).toBe(200)
    while ((await countRows(first.db, 'events')) > 0) await nextTurn()
    isOver = true
    await telling

    expect(await countRows(first.db, 'event_lines')).toBe(0)
    for (const username of USERS) {
      const { id } = await first.findUser(username)
      const own = told.filter(({ user }) => user.username === username)
      expect(own).toHaveLength(LOGINS)
      expect(own.map((event) => event.id)).toEqual(await happened(id))
    }
  },
)

/**
 * The rows of events are gone when they are told, and many have the same time. So the database keeps
 * the order in which they were written.
 */
async function keepOrder({ db }: StartedAuth) {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create table written (id int, event_id text, user_id int)')
  await run(`create function keep_order() returns trigger language plpgsql as $$ begin
    insert into written values (new.id, new.event_id, new.user_id); return new;
  end $$`)
  await run('create trigger kept after insert on events for each row execute function keep_order()')
  onTestFinished(async () => {
    await run('drop trigger kept on events')
    await run('drop function keep_order')
    await run('drop table written')
  })
  return async (userId: number): Promise<string[]> => {
    const { rows } = await sql<{ event_id: string }>`
      select event_id from written where user_id = ${userId} order by id`.execute(db)
    return rows.map((row) => row.event_id)
  }
}
