import { expect, test } from 'vitest'
import { STRONG, twice } from '../../../server/test/support/accounts.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { PASSWORD, startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoFile, importInto } from '../support/django.ts'
import { projectSql, vectors } from '../support/django-project.ts'

const WISH = { table: 'auth_user', secretKeys: [vectors.secretKey] }
const SETTINGS = { DJANGO_SECRET_KEY: vectors.secretKey, ACCOUNT: { DELETION: true } } as const
const TOKEN = 'a1'.repeat(20)

async function startWithProject() {
  const source = await djangoFile(projectSql)
  const started = await startAuth(SETTINGS, { shared: true })
  const importAgain = () => importInto(started, source.url, WISH)
  const first = await importAgain()
  const about = async (pk: number) =>
    (await importAgain()).findings.filter((one) => one.pk === String(pk)).map(({ what }) => what)
  return { ...started, source, importAgain, first, about }
}

/** The address of a user table and its row of allauth. */
const address = (pk: number, email: string): string =>
  `update auth_user set email = '${email}' where id = ${pk};
   update account_emailaddress set email = '${email}' where user_id = ${pk} and "primary" = 1;`

test('an address that moved to a user who comes earlier is there after one import', async () => {
  const { source, importAgain, first, findUser } = await startWithProject()
  await source.change(address(13, 'elsewhere@example.com'))
  await source.change(address(8, 'own@example.com'))
  expect(await importAgain()).toMatchObject({ counts: { updated: 2 }, lost: first.lost, kept: 0 })
  expect(await findUser('own@example.com')).toMatchObject({ id: 8 })
  expect(await findUser('elsewhere@example.com')).toMatchObject({ id: 13 })
  expect((await importAgain()).counts).toEqual({ unchanged: 8 })
})

test('two users who swap addresses and names have swapped them here, too', async () => {
  const { source, importAgain, first, findUser } = await startWithProject()
  await source.change(address(7, 'own@example.com') + address(13, 'ada@example.com'))
  await source.change(`update auth_user set username = 'x' where id = 7;
    update auth_user set username = 'ada' where id = 13;
    update auth_user set username = 'own' where id = 7;`)
  expect(await importAgain()).toMatchObject({ lost: first.lost, kept: 0 })
  expect(await findUser('own')).toMatchObject({ id: 7, email: 'own@example.com' })
  expect(await findUser('ada')).toMatchObject({ id: 13, email: 'ada@example.com' })
})

test('a name that somebody here has is numbered, until it is free', async () => {
  const { source, importAgain, about, createUser, findUser, db } = await startWithProject()
  const { id } = await createUser({ username: 'native', email: 'native@example.com' })
  await source.change(`update auth_user set username = 'Native' where id = 7`)
  await source.change(address(7, 'native@example.com'))
  expect(await about(7)).toEqual(['address', 'account at nowhere', 'username'])
  expect(await findUser('Native2')).toMatchObject({ id: 7, email: '' })
  expect(await findUser('native')).toMatchObject({ id, email: 'native@example.com' })
  // The same again is no change on both sides.
  expect(await importAgain()).toMatchObject({ counts: { unchanged: 8 }, kept: 0 })
  expect(await findUser('Native2')).toMatchObject({ id: 7 })

  await db.deleteFrom('users').where('id', '=', id).execute()
  expect(await about(7)).toEqual(['account at nowhere'])
  expect(await findUser('Native')).toMatchObject({ id: 7, email: 'native@example.com' })
})

test('a former address is given up, even if the new one cannot be had', async () => {
  const { source, importAgain, request, createUser, findUser } = await startWithProject()
  await createUser({ username: 'native', email: 'native@example.com' })
  await source.change(address(7, 'native@example.com'))
  await importAgain()
  await expect(findUser('ada@example.com')).rejects.toThrow('There is no user')
  const login = { email: 'ada@example.com', password: vectors.password }
  expect((await request.post('login/', login)).status).toBe(400)
})

test('a link that Django mailed works after its address was imported anew', async () => {
  const { source, importAgain, request } = await startWithProject()
  for (const email of ['former@example.com', 'ada@example.com']) {
    await source.change(address(7, email))
    await importAgain()
  }
  const reset = { uid: '7', token: vectors.resets.neverLoggedIn, ...twice(STRONG) }
  expect((await request.post('password/reset/confirm/', reset)).status).toBe(200)
})

test('what both sides have changed stays as it is here', async () => {
  const { source, importAgain, request, findUser } = await startWithProject()
  const change = {
    old_password: vectors.password,
    new_password1: PASSWORD,
    new_password2: PASSWORD,
  }
  expect((await request.post('password/change/', change, { token: TOKEN })).status).toBe(200)
  await request.post('logout/', {}, { token: TOKEN })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { key } = login.body as { key: string }
  await source.change(`update auth_user set password = '!changed there' where id = 7`)
  await source.change(`update authtoken_token set key = '${'b2'.repeat(20)}' where user_id = 7`)
  const { findings, kept } = await importAgain()
  expect(kept).toBe(2)
  expect(findings.filter(({ kind }) => kind === 'kept').map(({ what }) => what)).toEqual([
    'password',
    'token',
  ])
  expect((await request.get('user/', { token: key })).status).toBe(200)
  for (const token of [TOKEN, 'b2'.repeat(20)]) {
    expect((await request.get('user/', { token })).status).toBe(401)
  }
  const again = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(again.status).toBe(200)
  expect((await findUser('ada')).password).not.toBe('!changed there')
})

test('a second factor that was switched off here stays off', async () => {
  const { source, importAgain, db } = await startWithProject()
  await db.deleteFrom('totp_authenticators').where('user_id', '=', 13).execute()
  await source.change(
    `update dj_rest_auth_mfa_authenticator set data = json_set(data, '$.used_mask', 3) where id = 2`,
  )
  expect((await importAgain()).findings).toContainEqual(
    expect.objectContaining({ kind: 'kept', pk: '13', what: 'mfa' }),
  )
  expect(await countRows(db, 'totp_authenticators')).toBe(0)
})

test('a user who was deleted here stays deleted, whatever changes there', async () => {
  const { source, importAgain, request, createUser, db } = await startWithProject()
  const leave = { password: vectors.password }
  await request.post('login/', { username: 'ada', ...leave })
  expect((await request.post('account/delete/', leave, { token: TOKEN })).status).toBe(200)
  await source.change(address(7, 'ada-again@example.com'))
  await source.change(`update authtoken_token set key = '${'b2'.repeat(20)}' where user_id = 7`)
  await importAgain()
  expect((await request.get('user/', { token: 'b2'.repeat(20) })).status).toBe(401)
  expect(await countRows(db, 'users')).toBe(7)
  // What they had is free for others.
  expect((await createUser({ username: 'ada', email: 'ada@example.com' })).id).toBeGreaterThan(14)
  await source.change('delete from auth_user where id = 7')
  await importAgain()
  expect(await countRows(db, 'users')).toBe(8)
})
