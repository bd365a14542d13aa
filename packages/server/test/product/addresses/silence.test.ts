import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { ADA, changeKey, NEW, SENT, startWithAda } from '../../support/addresses.ts'
import { NOT_FOUND } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { statementsOf } from '../../support/queries.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const BOB = 'bob@example.com'

async function startWithEverybody() {
  const auth = await startWithAda()
  await auth.createUser({ username: 'bob', email: BOB, verified: true })
  await auth.createUser({ username: 'uma', email: 'uma@example.com' })
  await auth.createUser({ username: 'ines', email: 'ines@example.com', active: false })
  return auth
}

const ADDRESSES = [NEW, BOB, 'uma@example.com', 'ines@example.com']

test('nothing tells whether somebody has the address', async () => {
  const auth = await startWithEverybody()
  const seen = new Set<string>()
  for (const email of ADDRESSES) {
    const reply = await auth.ask(email)
    expect(reply).toMatchReply(200, SENT)
    const { date: _date, 'x-request-id': _id, ...headers } = reply.headers
    seen.add(JSON.stringify([headers, reply.cookies]))
    expect(await auth.show()).toEqual({ email: ADA, verified: true, pending: email })
  }
  expect([...seen]).toHaveLength(1)
})

test('nor does the work that it takes', async () => {
  const auth = await startWithEverybody()
  // The first request of a user is written as the first of the day, whatever it asks for.
  await auth.ask('first@new.example')
  const works = new Set<string>()
  for (const email of ADDRESSES) {
    works.add(JSON.stringify(await statementsOf(auth, () => auth.ask(email))))
  }
  expect([...works]).toHaveLength(1)
})

test('nor does the export of the account, to its user or to an operator', async () => {
  const auth = await startWithEverybody()
  const ada = await auth.findUser('ada')
  const seen = new Set<string>()
  for (const email of ADDRESSES) {
    await auth.db.deleteFrom('outbox').execute()
    await auth.db.deleteFrom('audit_events').execute()
    await auth.ask(email)
    const { body } = await auth.request.get('account/export/', { token: auth.token })
    await auth.db.deleteFrom('audit_events').where('event', '=', 'account_exported').execute()
    const { known } = await auth.administration.export(ada)
    const text = JSON.stringify([body, known]).replaceAll(email, '')
    expect(text).toContain('email-change-requested')
    seen.add(text)
  }
  expect([...seen]).toHaveLength(1)
})

test('a key that was not mailed is none', async () => {
  const auth = await startWithEverybody()
  await auth.ask(BOB)
  const { digest } = await auth.db.selectFrom('email_keys').selectAll().executeTakeFirstOrThrow()
  // No digest of a key looks like this.
  expect(digest).toMatch(/^unsent:/)
})

test('the owner of a taken address is told, and gets no key', async () => {
  const auth = await startWithEverybody()
  await auth.ask(BOB)
  const letters = await auth.mail.letters()
  expect(letters).toContainEqual({ to: BOB, template: 'address-wanted', values: {} })
  expect(letters.map(({ template }) => template)).not.toContain('change-email')
  expect(await auth.findUser('ada')).toMatchObject({ email: ADA })
})

test('an inactive owner is not told', async () => {
  const auth = await startWithEverybody()
  await auth.ask('ines@example.com')
  expect(await auth.mail.templates()).toEqual(['email-change-requested'])
})

test('a taken address that is free by now has no link that works', async () => {
  const auth = await startWithEverybody()
  await auth.ask(BOB)
  await auth.administration.remove(await auth.findUser('bob'))
  expect(await auth.show()).toMatchObject({ pending: BOB })
  expect(await auth.mail.of('change-email')).toEqual([])
})

test('a free address that is taken by now: 404, and nothing changes', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  await auth.createUser({ username: 'bob', email: 'ADA@new.example' })
  for (let n = 0; n < 2; n++) expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
  expect(await auth.findUser('ada')).toMatchObject({ email: ADA, email_verified: 1 })
  expect(await auth.mail.of('email-changed')).toEqual([])
})

test('three mails to one address in 15 minutes, those of verification included; more are dropped silently', async () => {
  const auth = await startWithAda()
  await auth.request.post('registration/', signup('newt', NEW))
  await auth.administration.remove(await auth.findUser('newt'))
  for (let n = 0; n < 4; n++) expect(await auth.ask()).toMatchReply(200, SENT)
  expect(await auth.mail.of('change-email')).toHaveLength(2)
  // The newest link that was mailed still works.
  expect((await auth.confirm(await changeKey(auth))).status).toBe(200)
})

test('nobody can use up the mails of another: neither before nor after they have the address', async () => {
  const auth = await startWithEverybody()
  const [free, waiting] = [NEW, 'uma@example.com']
  const resend = (email: string) => auth.request.post('registration/resend-email/', { email })
  for (let n = 0; n < 4; n++) await resend(free)
  await auth.ask(free)
  expect(await auth.mail.of('change-email')).toMatchObject([{ to: free }])
  for (let n = 0; n < 4; n++) await auth.ask(waiting)
  await resend(waiting)
  expect(await auth.mail.of('verify-email')).toMatchObject([{ to: waiting }])
})

test('nor do the limits tell whether somebody has the address', async () => {
  const seen = new Set<string>()
  for (const email of ADDRESSES) {
    const auth = await startWithEverybody()
    const resend = () => auth.request.post('registration/resend-email/', { email })
    for (let n = 0; n < 3; n++) await resend()
    const works: string[][] = []
    for (let n = 0; n < 4; n++) works.push(await statementsOf(auth, () => auth.ask(email)))
    expect(await auth.mail.of('email-change-requested')).toHaveLength(3)
    auth.clock.advance(15 * MINUTE)
    for (let n = 0; n < 3; n++) await auth.ask(email)
    // Either a letter and its key, or two rows that take as long.
    const { length } = await statementsOf(auth, resend)
    seen.add(JSON.stringify([works, length]))
  }
  expect([...seen]).toHaveLength(1)
})

test('beyond the limit another address still takes the place of the one before', async () => {
  const auth = await startWithAda()
  for (let n = 0; n < 3; n++) await auth.ask()
  await auth.ask('other@new.example')
  await auth.ask()
  expect(await auth.show()).toMatchObject({ pending: NEW })
  const letters = await auth.mail.of('change-email')
  expect(letters.map(({ to }) => to)).toEqual([NEW, NEW, NEW, 'other@new.example'])
  const key = await changeKey(auth, 'other@new.example')
  expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
})

test('the owner of a taken address is told ten times an hour at most, and other notices still come', async () => {
  const auth = await startWithEverybody()
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 3; n++) await auth.ask(BOB)
    auth.clock.advance(HOUR / 4 - 1)
  }
  expect((await auth.mail.of('address-wanted')).length).toBeLessThanOrEqual(10)
  const login = await auth.request.post('login/', { username: 'bob', password: PASSWORD })
  const { key: token } = login.body as { key: string }
  const body = { new_password1: 'Nn-5566-yy-lantern', new_password2: 'Nn-5566-yy-lantern' }
  await auth.request.post('password/change/', body, { token })
  expect(await auth.mail.of('password-changed')).toMatchObject([{ to: BOB }])
})

test('20 requests in a minute per client address', async () => {
  const { request, token } = await startWithAda()
  const ask = (n: number, from = 1) =>
    request.post('email/change/', { email: `n${n}@new.example` }, { token, ...fromClient(from) })
  for (let n = 0; n < 20; n++) expect((await ask(n)).status).toBe(400)
  expect(await ask(20)).toBeThrottled(60)
  expect((await ask(20, 2)).status).toBe(400)
})

test('the notice to the old address is limited as all notices are', async () => {
  const auth = await startWithAda()
  for (let n = 0; n < 12; n++) {
    await auth.ask(`n${n}@new.example`)
    auth.clock.advance(MINUTE)
  }
  expect(await auth.mail.of('email-change-requested')).toHaveLength(10)
  expect(await auth.mail.of('change-email')).toHaveLength(12)
})
