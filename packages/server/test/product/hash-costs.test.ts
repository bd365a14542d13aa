import { pbkdf2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { djangoFile, importInto } from '../../../django/test/support/django.ts'
import { projectSql, vectors } from '../../../django/test/support/django-project.ts'
import { argon2Costing } from '../../src/crypto/password-hash/argon2.ts'
import type { PasswordHasherName } from '../../src/crypto/password-hash/password-hasher.ts'
import { requestReset, STRONG, twice } from '../support/accounts.ts'
import { UNABLE } from '../support/answers.ts'
import { cheapHasher, recordingHasher } from '../support/hashers.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const HASHERS: PasswordHasherName[] = ['argon2', 'pbkdf2_sha256', 'bcrypt', 'scrypt']
const SETTINGS = {
  PASSWORD_HASHERS: HASHERS,
  ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } },
}
const OURS = 'argon2id$v=19$m=8,t=1,p=1'
/** As an instance of another version may make them. */
const THEIRS = 'argon2id$v=19$m=16,t=1,p=1'
const DEARER = argon2Costing({ variant: 'argon2id', version: 19, memory: 16, passes: 1, lanes: 1 })
const DIGEST = `${'A'.repeat(43)}=`
const WISH = { table: 'auth_user', secretKeys: [vectors.secretKey] }

/** An instance that counts its hashes. */
async function startCounting(options: Parameters<typeof startAuth>[1] = {}) {
  const { hasher, work } = recordingHasher(HASHERS)
  const started = await startAuth(SETTINGS, { hasher, ...options })
  /** The work of a login that fails. */
  async function failing(username: string, password = 'wrong') {
    work.length = 0
    expect(await started.request.post('login/', { username, password })).toMatchReply(400, UNABLE)
    return work.toSorted()
  }
  return { ...started, failing }
}

const plant = ({ db }: Pick<StartedAuth, 'db'>, username: string, password: string) =>
  db.updateTable('users').set({ password }).where('username', '=', username).execute()

test('the first failed login after a start costs every kind of hash that users have', async () => {
  const before = await startCounting({ shared: true })
  for (const username of ['ada', 'old', 'older']) await before.createUser({ username })
  await plant(before, 'old', `pbkdf2_sha256$2000$salt$${DIGEST}`)
  await plant(before, 'older', `$2b$04$${'a'.repeat(53)}`)

  const failure = [OURS, 'bcrypt$4', 'pbkdf2_sha256 × 2000']
  const users = ['nobody', 'ada', 'old', 'older']
  for (const username of users) {
    const { failing } = await startCounting({ beside: before })
    expect(await failing(username), username).toEqual(failure)
  }

  // A table that was just made is filled from all users.
  await before.db.deleteFrom('hash_kinds').execute()
  const { failing } = await startCounting({ beside: before })
  expect(await failing('nobody')).toEqual(failure)
})

test('what one instance stores, the failed logins of every other one cost at once', async () => {
  const running = await startCounting({ shared: true })
  expect(await running.failing('nobody')).toEqual([OURS])

  const hasher = cheapHasher(HASHERS, DEARER)
  const other = await startCounting({ beside: running, hasher })
  await other.administration.create({
    username: 'bea',
    email: '',
    password: PASSWORD,
    verified: false,
    active: true,
  })
  expect(await running.failing('nobody')).toEqual([THEIRS, OURS])

  const { url } = await djangoFile(projectSql)
  await importInto(other, url, WISH)
  const failure = await running.failing('nobody')
  expect(failure).toEqual([THEIRS, OURS, expect.stringMatching(/^pbkdf2_sha256 × \d+$/)])
  expect(await running.failing('bea')).toEqual(failure)
  // Rounds can be made up for.
  const [, , pbkdf2 = ''] = failure
  expect((await running.failing('ada')).filter((one) => one === pbkdf2)).toEqual([pbkdf2])
})

const ABSURD = [
  `pbkdf2_sha256$10000000$salt$${DIGEST}`,
  `pbkdf2_sha256$100000000$salt$${DIGEST}`,
  `$2b$20$${'a'.repeat(53)}`,
  `$argon2id$v=19$m=2097152,t=999,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  `scrypt$67108864$salt$8$99$${'A'.repeat(86)}==`,
]

test('a stored hash of absurd cost never verifies, and costs nobody anything', async () => {
  const before = await startCounting({ shared: true })
  await before.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  for (const hash of ABSURD) {
    await plant(before, 'ada', hash)
    const { failing } = await startCounting({ beside: before })
    for (const username of ['ada', 'nobody', 'ada']) {
      expect(await failing(username, PASSWORD), hash).toEqual([OURS])
    }
  }
})

test('a hash of absurd cost does not come over; its user is told of, and resets by mail', async () => {
  const started = await startCounting({ shared: true })
  const { failing, request, db } = started
  const source = await djangoFile(projectSql)
  for (const [i, hash] of ABSURD.entries()) {
    await source.change(`update auth_user set password = '${hash}' where id = ${7 + i}`)
  }
  const report = await importInto(started, source.url, WISH)
  for (const i of ABSURD.keys()) {
    const why = 'computing the hash would cost too much; the user resets it by mail'
    const lost = { kind: 'lost', pk: String(7 + i), what: 'password', why }
    expect(report.findings).toContainEqual(expect.objectContaining(lost))
  }
  const stored = await db.selectFrom('users').select('password').where('id', '<', 12).execute()
  expect(stored).toEqual(ABSURD.map(() => ({ password: '!' })))
  expect(await failing('ada', PASSWORD)).toEqual([OURS])

  const link = await requestReset(started, 'ada@example.com')
  const reset = await request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
  expect(reset.status).toBe(200)
  const login = { username: 'ada', password: STRONG }
  expect((await request.post('login/', login)).status).toBe(200)
})

test('a login renews a hash of an older kind, and leaves a current one alone', async () => {
  const started = await startCounting()
  const { createUser, findUser, request } = started
  const digest = pbkdf2Sync(PASSWORD, 'salt', 1000, 32, 'sha256').toString('base64')
  const old = `pbkdf2_sha256$1000$salt$${digest}`
  for (const username of ['ada', 'bob']) {
    await createUser({ username })
    await plant(started, username, old)
  }
  const hashAfterLogin = async () => {
    const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
    expect(reply.status).toBe(200)
    return (await findUser('ada')).password
  }
  const renewed = await hashAfterLogin()
  expect(renewed).toMatch(/^\$argon2id\$/)
  expect(await hashAfterLogin()).toBe(renewed)
  expect((await findUser('bob')).password).toBe(old)
})
