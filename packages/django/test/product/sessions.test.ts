import { expect, test } from 'vitest'
import { DAY } from '../../../server/src/kernel/clock.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startImported } from '../support/django.ts'

/** Two sessions of one user that go on for a day. */
async function startWithSessions() {
  const started = await startImported('default')
  const { live, source, request, clock } = started
  const owner = live.users.find(({ sessions }) => sessions.filter((one) => one.works).length > 1)
  const [one = '', other = ''] = (owner?.sessions ?? []).map(({ sessionid }) => sessionid)
  const start = clock.now()
  const setEnd = async (sessionid: string, days: number) => {
    const time = new Date(start + days * DAY).toISOString()
    const text = onPostgres ? time : time.slice(0, 19).replace('T', ' ')
    await source.change(
      `update django_session set expire_date = '${text}' where session_key = '${sessionid}'`,
    )
    await started.importAgain()
  }
  const works = async (sessionid: string) =>
    (await request.get('user/', { cookies: { sessionid } })).status === 200
  return { ...started, owner, one, other, setEnd, works }
}

test('a session that is extended there goes on here, and no other does', async () => {
  const { one, other, setEnd, works, clock } = await startWithSessions()
  await setEnd(one, 3)
  expect([await works(one), await works(other)]).toEqual([true, true])
  clock.advance(2 * DAY)
  expect([await works(one), await works(other)]).toEqual([true, false])
  clock.advance(DAY)
  expect(await works(one)).toBe(false)
})

test('an extension never ends a session earlier than before', async () => {
  const { one, setEnd, works, clock } = await startWithSessions()
  await setEnd(one, 9)
  await setEnd(one, 2)
  await setEnd(one, 3)
  clock.advance(4 * DAY)
  expect(await works(one)).toBe(true)
})

test('a session that ends there ends here, and no other does', async () => {
  const { one, other, source, works, importAgain } = await startWithSessions()
  await source.change(`delete from django_session where session_key = '${one}'`)
  await importAgain()
  expect([await works(one), await works(other)]).toEqual([false, true])
})

test('a session that was ended here stays ended after a ban there, and the others go on', async () => {
  const { owner, one, other, source, works, importAgain, auth } = await startWithSessions()
  await auth.services.sessions.end(one)
  for (const isActive of onPostgres ? ['false', 'true'] : ['0', '1']) {
    await source.change(`update auth_user set is_active = ${isActive} where id = ${owner?.pk}`)
    await importAgain()
  }
  expect([await works(one), await works(other)]).toEqual([false, true])
})

test('of too many sessions of one user the newest hundred stay, and all of others', async () => {
  const { live, db, source, importAgain } = await startImported('default')
  const [owner] = live.users
  const own = (owner?.sessions ?? []).filter(({ works }) => works)
  const others = (await countRows(db, 'logins')) - own.length
  const copies = Array.from({ length: 120 }, (_, n) => `copy${n}`.padEnd(32, 'x'))
  const inserts = copies.map(
    (key) => `insert into django_session (session_key, session_data, expire_date)
      select '${key}', session_data, expire_date from django_session
      where session_key = '${own[0]?.sessionid}';`,
  )
  await source.change(inserts.join('\n'))
  await importAgain()
  expect(await countRows(db, 'logins')).toBe(others + 100)
})
