import { expect, test } from 'vitest'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startImported } from '../support/django.ts'

const [YES, NO] = onPostgres ? ['true', 'false'] : ['1', '0']

const WHY =
  'this is the last active superuser here; make another user a superuser first, or use --force'

/** A project whose only superuser is dan. */
async function startProject() {
  const imported = await startImported('default')
  const { db, live, source } = imported
  const pkOf = (name: string) => {
    const pk = live.users.find(({ email }) => email.toLowerCase().startsWith(`${name}@`))?.pk
    if (pk === undefined) throw new Error(`There is no ${name}.`)
    return Number(pk)
  }
  const setThere = (name: string, change: string) =>
    source.change(`update ${live.user_table} set ${change} where id = ${pkOf(name)}`)
  async function deleteThere(name: string) {
    for (const table of ['account_emailaddress', 'authtoken_token', 'auth_user_groups'])
      await source.change(`delete from ${table} where user_id = ${pkOf(name)}`)
    await source.change(`delete from ${live.user_table} where id = ${pkOf(name)}`)
  }
  async function activeSuperusers() {
    const rows = db.selectFrom('users').select('first_name').orderBy('id')
    const found = await rows.where('is_superuser', '=', 1).where('is_active', '=', 1).execute()
    return found.map(({ first_name }) => first_name)
  }
  expect(await activeSuperusers()).toEqual(['dan'])
  const kept = (name: string, what: string) => ({
    kind: 'kept',
    pk: String(pkOf(name)),
    what,
    why: WHY,
  })
  return { ...imported, setThere, deleteThere, activeSuperusers, kept }
}

test.each(['is_active', 'is_superuser'])(
  'a change of %s there does not remove the last active superuser here, unless it is forced',
  async (flag) => {
    const { setThere, importAgain, activeSuperusers, kept, db } = await startProject()
    await setThere('dan', `${flag} = ${NO}, first_name = 'Daniel'`)
    // What was kept is reported each time. Everything else of the user is imported.
    for (const counts of [{ updated: 1 }, {}]) {
      const report = await importAgain()
      expect(report).toMatchObject({ counts, lost: 0, kept: 1, findings: [kept('dan', flag)] })
      expect(await activeSuperusers()).toEqual(['Daniel'])
    }
    const forced = await importAgain({ isForced: true })
    expect(forced).toMatchObject({ counts: { updated: 1 }, kept: 0, findings: [] })
    expect(await activeSuperusers()).toEqual([])
    const audited = await db
      .selectFrom('audit_events')
      .select('details')
      .where('event', '=', 'user_changed')
      .execute()
    expect(audited.map(({ details }) => JSON.parse(details).fields)).toEqual(['profile', flag])
  },
)

test('a deletion there does not delete the last active superuser here, unless it is forced', async () => {
  const { deleteThere, importAgain, activeSuperusers, kept, findUser } = await startProject()
  await deleteThere('dan')
  for (let i = 0; i < 2; i++) {
    const report = await importAgain()
    expect(report).toMatchObject({ lost: 0, kept: 1, findings: [kept('dan', 'user')] })
    expect(report.counts).not.toHaveProperty('removed')
    expect(await activeSuperusers()).toEqual(['dan'])
  }
  const forced = await importAgain({ isForced: true })
  expect(forced).toMatchObject({ counts: { removed: 1 }, kept: 0, findings: [] })
  await expect(findUser('dan@example.com')).rejects.toThrow('There is no user')
})

test('of several superusers who are removed in one import, one stays', async () => {
  const { setThere, deleteThere, importAgain, activeSuperusers, kept } = await startProject()
  for (const name of ['cleo', 'ida', 'lea']) await setThere(name, `is_superuser = ${YES}`)
  await importAgain()
  expect(await activeSuperusers()).toEqual(['cleo', 'dan', 'ida', 'lea'])
  await setThere('cleo', `is_superuser = ${NO}`)
  await setThere('dan', `is_active = ${NO}`)
  await deleteThere('lea')
  await setThere('ida', `is_superuser = ${NO}, is_active = ${NO}`)
  const dry = await importAgain({ isDry: true })
  const report = await importAgain()
  expect(report).toEqual(dry)
  expect(report).toMatchObject({ counts: { updated: 3 }, kept: 1, findings: [kept('lea', 'user')] })
  expect(await activeSuperusers()).toEqual(['lea'])
})

test('a superuser is removed if the same import makes another one', async () => {
  const { setThere, deleteThere, importAgain, activeSuperusers } = await startProject()
  // Users are imported in the order of their keys. Whatever else has changed, dan counts once.
  await setThere('dan', `is_superuser = ${NO}, first_name = 'Daniel'`)
  await setThere('lea', `is_superuser = ${YES}`)
  expect(await importAgain()).toMatchObject({ counts: { updated: 2 }, kept: 0, findings: [] })
  expect(await activeSuperusers()).toEqual(['lea'])

  await deleteThere('lea')
  await setThere('ada', `is_superuser = ${YES}`)
  expect(await importAgain()).toMatchObject({ counts: { updated: 1, removed: 1 }, kept: 0 })
  expect(await activeSuperusers()).toEqual(['ada'])
})
