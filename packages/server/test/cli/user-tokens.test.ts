import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

/** Ada has made two keys, 1 and 2. */
async function withKeys() {
  const cli = await newCli()
  await cli.createAda()
  const { url, logIn, isLoggedIn } = await cli.serve(['--set', 'API_KEYS=true'])
  const { key: token } = await logIn(ADA)
  const make = async (name: string, more: object = {}) => {
    const reply = await fetch(`${url}tokens/`, {
      method: 'POST',
      headers: {
        connection: 'close',
        'content-type': 'application/json',
        authorization: `Token ${token}`,
      },
      body: JSON.stringify({ name, scopes: ['user:read'], ...more }),
    })
    return (await reply.json()) as { key: string }
  }
  const keys = [await make('backup'), await make('shop', { expires_at: '2999-01-01T00:00:00Z' })]
  return { ...cli, keys, isLoggedIn }
}

test('an operator sees the keys of a user, without their secrets', async () => {
  const { run, keys } = await withKeys()
  const { code, stdout, stderr } = await run(['user', 'tokens', 'ada'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [header, ...rows] = stdout.trimEnd().split('\n')
  expect(header).toMatch(/^ID +NAME +SCOPES +CREATED +LAST USED +EXPIRES$/)
  expect(rows).toEqual([
    expect.stringMatching(/^2 +shop +user:read +\S+Z +never +2999-01-01T00:00:00.000Z$/),
    expect.stringMatching(/^1 +backup +user:read +\S+Z +never +never$/),
  ])
  const { stdout: json } = await run(['user', 'tokens', 'ada', '--json'])
  expect(JSON.parse(json)).toMatchObject([
    { id: 2, name: 'shop', scopes: ['user:read'], expires_at: '2999-01-01T00:00:00.000Z' },
    { id: 1, name: 'backup', last_used_at: null, expires_at: null },
  ])
  for (const { key } of keys) expect(stdout + json).not.toContain(key)
})

test('an operator revokes keys one by one, and the history says who did it', async () => {
  const { run, keys, isLoggedIn } = await withKeys()
  const [backup = { key: '' }, shop = { key: '' }] = keys
  expect(await isLoggedIn(shop)).toBe(true)
  expect(await run(['user', 'revoke-token', 'ada', '2'])).toEqual({
    code: 0,
    stdout: 'The key 2 of ada (pk 1) is revoked.\n',
    stderr: '',
  })
  expect(await isLoggedIn(shop)).toBe(false)
  expect(await isLoggedIn(backup)).toBe(true)
  expect((await run(['user', 'show', 'ada'])).stdout).toMatch(
    /api_key_revoked +operator=.* key=2$/m,
  )
  for (const id of ['2', 'x', '99999999999999999999']) {
    const again = await run(['user', 'revoke-token', 'ada', id])
    expect(again).toEqual({ code: 1, stdout: '', stderr: `ada (pk 1) has no key ${id}.\n` })
  }
  const { stdout } = await run(['user', 'revoke-token', 'ada', '1', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ username: 'ada', revoked: ['1'] })
  expect((await run(['user', 'tokens', 'ada'])).stdout).toBe('ada (pk 1) has no keys.\n')
})

test('a key that is not there stops no other, and both are named', async () => {
  const { run, keys, isLoggedIn } = await withKeys()
  expect(await run(['user', 'revoke-token', 'ada', '98', '2', '99', '1'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ada (pk 1) has no key 98, 99. The keys 2, 1 of ada (pk 1) are revoked.\n',
  })
  for (const key of keys) expect(await isLoggedIn(key)).toBe(false)
})

test('which key to revoke must be said', async () => {
  const { run, createAda } = await newCli()
  await createAda()
  expect((await run(['user', 'revoke-token', 'ada'])).code).toBe(2)
})
