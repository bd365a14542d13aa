import { expect, test } from 'vitest'
import { uidOf } from '../../../server/src/kernel/ids.ts'
import { requestReset } from '../../../server/test/support/accounts.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { importInto, newProject } from '../support/django.ts'
import { vectors } from '../support/django-project.ts'
import { insertInto, type TableRow, tablesOf } from '../support/django-tables.ts'
import { PLAIN } from '../support/django-way-back.ts'

/* An address belongs to the user who has verified it, not to one who only claims it. */

const ADDRESS = 'kim@example.com'

/** A user, and one row of allauth. */
const withAddress = (id: number, username: string, email: string, verified: boolean): string =>
  insertInto('auth_user', [{ ...PLAIN, password: vectors.passwordHash, id, username, email }]) +
  insertInto('account_emailaddress', [{ id, user_id: id, email, verified, primary: true }])

const verifyThere = (id: number): string =>
  `update account_emailaddress set verified = ${onPostgres ? 'true' : 1} where id = ${id};`

async function startWith(sql: string) {
  const source = await newProject(tablesOf('default') + sql)
  const started = await startAuth()
  const importAgain = () => importInto(started, source.url, { table: 'auth_user', secretKeys: [] })
  await importAgain()
  return { ...started, source, importAgain }
}

const LOST = { kind: 'lost', what: 'address', why: `${ADDRESS} belongs to another user` }

const claim = withAddress(5, 'mallory', ADDRESS, false)

/** What comes with the first import, and what happens there before the second. */
const later: Record<string, [first: string, then: string]> = {
  'who registers later': [claim, withAddress(9, 'kim', ADDRESS, true)],
  'who comes first in the table': [claim, withAddress(2, 'kim', ADDRESS, true)],
  'who verifies it later': [claim + withAddress(9, 'kim', ADDRESS, false), verifyThere(9)],
  'who has another one, too': [
    claim + withAddress(9, 'kim', 'kim@work.example', true),
    `update auth_user set email = '${ADDRESS}' where id = 9;
     update account_emailaddress set email = '${ADDRESS}' where id = 9;`,
  ],
}

test.each(Object.entries(later))(
  'an unverified claim gives way to the owner %s',
  async (_, [first, then]) => {
    const started = await startWith(first)
    const { source, importAgain, findUser } = started
    expect(await findUser(ADDRESS)).toMatchObject({ username: 'mallory', email_verified: 0 })
    await source.change(then)
    expect((await importAgain()).counts).toHaveProperty('updated')
    for (const _ of [1, 2]) {
      const report = { counts: { unchanged: 2 }, kept: 0, findings: [{ pk: '5', ...LOST }] }
      expect(await importAgain()).toMatchObject(report)
      expect(await findUser('kim')).toMatchObject({ email: ADDRESS, email_verified: 1 })
      expect(await findUser('mallory')).toMatchObject({ email: '', email_verified: 0 })
    }
    const { uid } = await requestReset(started, ADDRESS)
    expect(uid).toBe(uidOf((await findUser('kim')).id))

    // The claim counts again when the owner is gone.
    await source.change(`delete from account_emailaddress where user_id <> 5;
      delete from auth_user where id <> 5;`)
    expect(await importAgain()).toMatchObject({ lost: 0 })
    expect(await findUser(ADDRESS)).toMatchObject({ username: 'mallory', email_verified: 0 })
  },
)

test('another address that the user has here by now stays, and so does a proof here', async () => {
  const { source, importAgain, administration, findUser, db } = await startWith(
    claim + withAddress(6, 'lou', 'lou@example.com', false),
  )
  await administration.set(await findUser('mallory'), { address: { email: 'new@example.com' } })
  await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', 6).execute()
  await source.change(
    withAddress(9, 'kim', ADDRESS, true) + withAddress(10, 'lou2', 'lou@example.com', true),
  )
  for (const unchanged of [2, 4]) {
    const { counts, kept } = await importAgain()
    expect({ counts, kept }).toMatchObject({ counts: { unchanged }, kept: 0 })
  }
  expect(await findUser('mallory')).toMatchObject({ email: 'new@example.com' })
  expect(await findUser('kim')).toMatchObject({ email: ADDRESS })
  expect(await findUser('lou')).toMatchObject({ email: 'lou@example.com', email_verified: 1 })
})

test('of two users who have verified one address, in two spellings, the first keeps it', async () => {
  const spellings = [
    [ADDRESS, 'Kim@Example.com'],
    ['Kim@Example.com', ADDRESS],
  ] as const
  for (const [first, second] of spellings) {
    const { source, importAgain, findUser } = await startWith(withAddress(5, 'one', first, true))
    await source.change(withAddress(9, 'two', second, true))
    await importAgain()
    expect(await findUser(ADDRESS)).toMatchObject({ username: 'one', email_verified: 1 })
  }
})

test('the owner is known in every spelling, and far away in the table', async () => {
  const others: TableRow[] = Array.from({ length: 510 }, (_, i) => ({
    ...PLAIN,
    id: 100 + i,
    username: `user${i}`,
    email: '',
  }))
  const spellings = [
    ['kim@example.com', 'Kim@Example.com'],
    ['LOU@example.com', 'lOU@example.com'],
    ['max@xn--mnchen-3ya.example', 'max@münchen.example'],
    ['ned@MÜNCHEN.example', 'ned@xn--mnchen-3ya.example'],
  ] as const
  const claims = spellings.map(([email], i) => withAddress(1 + i, `claim${i}`, email, false))
  const owners = spellings.map(([, email], i) => withAddress(900 + i, `owner${i}`, email, true))
  const sql = [...claims, insertInto('auth_user', others), ...owners].join('\n')
  const { findUser } = await startWith(sql)
  for (const [i] of spellings.entries()) {
    expect(await findUser(`owner${i}`), `owner${i}`).toMatchObject({ email_verified: 1 })
    expect(await findUser(`claim${i}`), `claim${i}`).toMatchObject({ email: '' })
  }
})
