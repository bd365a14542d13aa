import { expect, test } from 'vitest'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

test('of 24 parallel confirms one succeeds', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  const replies = await Promise.all(Array.from({ length: 24 }, () => auth.confirm(key)))
  expect(statusesOf(replies)).toEqual([200, ...Array(23).fill(404)])
  expect(await auth.mail.of('email-changed')).toHaveLength(1)
})

test('of two users who want one free address exactly one gets it', async () => {
  const auth = await startWithAda()
  const token = await auth.createUserWithToken('bob')
  await auth.ask()
  const adas = await changeKey(auth)
  auth.clock.advance(1)
  await auth.request.post('email/change/', { email: NEW, password: PASSWORD }, { token })
  const bobs = await changeKey(auth)
  expect(bobs).not.toBe(adas)

  const keys = Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? adas : bobs))
  const replies = await Promise.all(keys.map((key) => auth.confirm(key)))
  expect(statusesOf(replies)).toEqual([200, ...Array(15).fill(404)])
  const holders = await auth.db.selectFrom('users').select('email').execute()
  expect(holders.filter(({ email }) => email === NEW)).toHaveLength(1)
})

test('of parallel requests of one user one is left', async () => {
  const auth = await startWithAda()
  const wishes = Array.from({ length: 8 }, (_, n) => `n${n}@new.example`)
  const replies = await Promise.all(wishes.map((email) => auth.ask(email)))
  expect(statusesOf(replies)).toEqual(Array(8).fill(200))
  expect(await countRows(auth.db, 'email_keys')).toBe(1)
  const { pending } = (await auth.show()) as { pending: string }
  const keys = await Promise.all(wishes.map((email) => changeKey(auth, email)))
  const confirmed = await Promise.all(keys.map((key) => auth.confirm(key)))
  expect(statusesOf(confirmed)).toEqual([200, ...Array(7).fill(404)])
  expect(await auth.show()).toEqual({ email: pending, verified: true, pending: null })
  expect(pending).not.toBe(ADA)
})
