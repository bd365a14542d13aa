import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { passwordOf, sent, startAdmin } from '../support/admin.ts'
import { KEY, UNABLE } from '../support/answers.ts'
import { countRows } from '../support/dump.ts'
import { guessing } from '../support/guessing.ts'
import { cheapHasher, recordingHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

const limited = (login_failed: string) => ({ ACCOUNT: { RATE_LIMITS: { login_failed } } })

async function startWithAda(settings = {}) {
  const auth = await startAuth(settings)
  await auth.createUser({ username: 'ada', email: 'ada@example.com' })
  return { ...auth, ...guessing(auth) }
}

test.each(['ada', 'nobody'])('after ten failures in five minutes %s is locked', async (name) => {
  const { clock, logIn, fail } = await startWithAda()
  await fail(name, 10)
  expect(await logIn(name, 'wrong')).toBeThrottled(300)
  clock.advance(5 * MINUTE - 1)
  expect(await logIn(name, 'wrong')).toBeThrottled(1)
  clock.advance(1)
  await fail(name, 1)
})

test('while an account is locked the right password is refused too, from everywhere', async () => {
  const { clock, logIn, fail, db } = await startWithAda()
  await fail('ada', 10)
  const refused = await logIn('ada')
  expect(refused).toBeThrottled(300)
  expect(refused.cookies).toEqual([])
  expect(await logIn('ada', PASSWORD, '192.0.2.7')).toBeThrottled(300)
  expect(await countRows(db, 'tokens')).toBe(0)
  clock.advance(5 * MINUTE)
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('when an account and an address are locked, the answer names the longer time', async () => {
  const { clock, logIn, fail } = await startWithAda(limited('2/5m/key,3/10m/ip'))
  await fail('nobody', 1)
  await fail('ada', 2)
  expect(await logIn('ada')).toBeThrottled(600)
  clock.advance(10 * MINUTE)
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('username, address and letter case are one account', async () => {
  const { logIn, fail } = await startWithAda()
  const spellings = [
    { username: 'ada' },
    { username: 'ADA' },
    { username: ' Ada ' },
    { username: 'ａｄａ' },
    { username: 'Ada@Example.com' },
    { email: 'ada@example.com' },
    { email: 'ADA@example.com' },
  ]
  for (const name of [...spellings, ...spellings.slice(0, 3)]) await fail(name, 1)
  for (const name of spellings) expect(await logIn(name)).toBeThrottled(300)
})

test('the spellings of a name that nobody has are one account as well', async () => {
  const { logIn, fail } = await startWithAda(limited('4/5m/key'))
  const spellings = ['nobody@example.com', 'NOBODY@example.com', ' Nobody@Example.com ']
  for (const name of spellings) await fail({ username: name }, 1)
  await fail({ email: 'nobody@EXAMPLE.com' }, 1)
  for (const name of spellings) expect(await logIn({ email: name })).toBeThrottled(300)
})

test('other accounts are not locked with it, nor is who is logged in already', async () => {
  const { request, createUserWithToken, logIn, fail, createUser } = await startWithAda()
  const token = await createUserWithToken('bob')
  await createUser({ username: 'cy' })
  await fail('bob', 10)
  expect(await logIn('bob')).toBeThrottled(300)
  expect(await logIn('cy')).toMatchReply(200, KEY)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('a success clears the account', async () => {
  const { logIn, fail } = await startWithAda()
  await fail('ada', 9)
  expect(await logIn('ADA@example.com')).toMatchReply(200, KEY)
  await fail('ada', 10)
  expect(await logIn('ada')).toBeThrottled(300)
})

test('the window slides: each failure is forgotten five minutes after it was made', async () => {
  const { clock, logIn, fail } = await startWithAda()
  await fail('ada', 4)
  clock.advance(200 * SECOND)
  await fail('ada', 6)
  clock.advance(50 * SECOND)
  expect(await logIn('ada')).toBeThrottled(50)
  clock.advance(50 * SECOND)
  await fail('ada', 4)
  expect(await logIn('ada')).toBeThrottled(200)
  clock.advance(200 * SECOND)
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('refused attempts do not lengthen the lock', async () => {
  const { clock, logIn, fail } = await startWithAda()
  await fail('ada', 10)
  for (let minute = 0; minute < 5; minute++) {
    expect(await logIn('ada', 'wrong')).toBeThrottled(300 - 60 * minute)
    clock.advance(MINUTE)
  }
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('after a hundred failures in ten minutes an address is locked, for all names', async () => {
  const { clock, logIn } = await startWithAda()
  const names = Array.from({ length: 104 }, (_, i) => `nobody${i}`)
  const replies = []
  // As many parallel requests as one client may have in the queue.
  for (let sent = 0; sent < names.length; sent += 52) {
    const some = names.slice(sent, sent + 52)
    replies.push(...(await Promise.all(some.map((name) => logIn(name, 'wrong')))))
  }
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(4)
  for (const reply of refused) expect(reply).toBeThrottled(600)
  expect(await logIn('ada')).toBeThrottled(600)
  expect(await logIn('ada', PASSWORD, '192.0.2.7')).toMatchReply(200, KEY)
  clock.advance(10 * MINUTE)
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('a success does not clear the address: it may be of the attacker’s own account', async () => {
  const { logIn, fail, createUser } = await startWithAda(limited('10/5m/key,5/10m/ip'))
  await createUser({ username: 'mallory' })
  await fail('ada', 3)
  expect(await logIn('mallory')).toMatchReply(200, KEY)
  await fail('ada', 2)
  expect(await logIn('ada', 'wrong')).toBeThrottled(600)
  expect(await logIn('mallory')).toBeThrottled(600)
})

test('one IPv6 customer is one address, and a forged header is none', async () => {
  const { request, logIn, fail } = await startWithAda(limited('3/10m/ip'))
  await fail('ada', 1, '2001:db8:1:2::1')
  await fail('bob', 1, '2001:db8:1:2:aaaa::2')
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const guess = { username: 'cy', password: 'wrong' }
  const options = { headers, from: '2001:0db8:1:2::3' }
  expect(await request.post('login/', guess, options)).toMatchReply(400, UNABLE)
  expect(await logIn('ada', PASSWORD, '2001:db8:1:2::4')).toBeThrottled(600)
  expect(await logIn('ada', PASSWORD, '2001:db8:1:3::1')).toMatchReply(200, KEY)
})

test('parallel guesses are counted like guesses one after the other', async () => {
  const { logIn } = await startWithAda()
  const replies = await Promise.all(Array.from({ length: 40 }, () => logIn('ada', 'wrong')))
  const told = replies.filter(({ status }) => status === 400)
  const refused = replies.filter(({ status }) => status === 429)
  expect(told).toHaveLength(10)
  expect(refused).toHaveLength(30)
  expect(await logIn('ada')).toBeThrottled(300)
})

test('a right guess is refused if wrong ones use up the limit while it is checked', async () => {
  const hasher = cheapHasher()
  const line = new EventEmitter()
  const verify: typeof hasher.verify = async (password, ...rest) => {
    if (password === PASSWORD) {
      const goesOn = once(line, 'go on')
      line.emit('come')
      await goesOn
    }
    return hasher.verify(password, ...rest)
  }
  const auth = await startAuth({}, { hasher: { ...hasher, verify } })
  await auth.createUser({ username: 'ada' })
  const { logIn, fail } = guessing(auth)
  const comes = once(line, 'come')
  const right = logIn('ada')
  await comes
  await fail('ada', 10)
  line.emit('go on')
  expect(await right).toBeThrottled(300)
  expect(await countRows(auth.db, 'tokens')).toBe(0)
})

test('a locked account costs no hash', async () => {
  const { hasher, work } = recordingHasher()
  const auth = await startAuth(limited('1/5m/key'), { hasher })
  const { logIn, fail } = guessing(auth)
  await fail('nobody', 1)
  expect(work).toHaveLength(1)
  expect(await logIn('nobody')).toBeThrottled(300)
  expect(work).toHaveLength(1)
})

test('the right password of somebody who is no operator fails at the admin pages, and counts', async () => {
  const started = await startAdmin(limited('2/5m/key'))
  await started.createUser({ username: 'ada' })
  const visitor = started.newVisitor()
  const logIn = () => visitor.post('login/', passwordOf('ada'), sent(visitor))
  for (const _ of [1, 2]) expect(await logIn()).toMatchReply(400, UNABLE)
  expect(await logIn()).toBeThrottled(300)
})

test('they are counted across instances, and over a restart', async () => {
  const first = await startAuth({}, { shared: true })
  await first.createUser({ username: 'ada' })
  const second = await startAuth({}, { beside: first })
  const [here, there] = [guessing(first), guessing(second)]
  const guesses = Array.from({ length: 12 }, () => [
    here.logIn('ada', 'wrong'),
    there.logIn('ada', 'wrong'),
  ])
  const replies = await Promise.all(guesses.flat())
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(14)
  const third = guessing(await startAuth({}, { beside: first }))
  expect(await third.logIn('ada')).toBeThrottled(300)
})

test('requests that are no guess are not counted', async () => {
  const { request, logIn } = await startWithAda(limited('1/5m/key,1/10m/ip'))
  await request.post('login/', { username: 'ada' })
  await request.post('login/', { password: 'wrong' })
  await request.post('login/', '{', { type: 'application/json' })
  await request.post('login/', {}, { headers: { origin: 'https://evil.example' } })
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('two rates of one kind count apart', async () => {
  const { clock, logIn, fail } = await startWithAda(limited('2/m/key,3/h/key,4/m/key'))
  await fail('ada', 2)
  expect(await logIn('ada')).toBeThrottled(60)
  clock.advance(MINUTE)
  await fail('ada', 1)
  expect(await logIn('ada')).toBeThrottled(59 * 60)
  clock.advance(59 * MINUTE)
  expect(await logIn('ada')).toMatchReply(200, KEY)
  await fail('ada', 2)
  expect(await logIn('ada')).toBeThrottled(60)
})

test('the limits are settings, and can be switched off', async () => {
  const strict = await startWithAda(limited('2/1h/key'))
  await strict.fail('ada', 2)
  expect(await strict.logIn('ada')).toBeThrottled(3600)

  const open = await startWithAda(limited('none'))
  await open.fail('ada', 12)
  expect(await open.logIn('ada')).toMatchReply(200, KEY)
})
