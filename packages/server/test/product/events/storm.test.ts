import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AccountEvent } from '../../../src/core/events.ts'
import { SECOND } from '../../../src/kernel/clock.ts'
import { countRows } from '../../support/dump.ts'
import { deliver, hooksFor } from '../../support/events.ts'
import { onPostgres } from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

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
      const own = told.filter(({ user }) => user.username === username)
      expect(new Set(own.map(({ id }) => id)).size).toBe(LOGINS)
      expect(own).toHaveLength(LOGINS)
      const times = own.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted())
    }
  },
)
