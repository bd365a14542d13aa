import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startAuth } from '../../support/start-auth.ts'

const EMAIL_TAKEN = ['User is already registered with this e-mail address.']

test('somebody registers, is logged in, and is sent a link', async () => {
  const started = await startAuth()
  const { request } = started
  const reply = await request.post('registration/', signup('bob', 'Bob@Example.com'))
  expect(reply).toMatchReply(201, KEY)
  expect(reply.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid'])
  const { key: token } = reply.body as { key: string }
  expect(await request.get('user/', { token })).toMatchReply(200, {
    pk: expect.any(Number),
    username: 'bob',
    email: 'bob@example.com',
    first_name: '',
    last_name: '',
  })
  expect(await started.mail.letters()).toEqual([
    {
      to: 'bob@example.com',
      template: 'verify-email',
      values: {
        link: expect.stringMatching(/^http:\/\/localhost:8000\/account\/confirm\/[\w-]{32}$/),
        key: expect.stringMatching(/^[\w-]{32}$/),
      },
    },
  ])
})

test('the owner of the address gets a mail when somebody tries to register with it, three times', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await started.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  for (let i = 0; i < 5; i++) {
    const reply = await started.request.post('registration/', signup(`bob${i}`, 'ADA@example.com'))
    expect(reply).toMatchReply(400, { email: EMAIL_TAKEN })
  }
  const letter = { to: 'ada@example.com', template: 'already-registered', values: {} }
  expect(await started.mail.letters()).toEqual([letter, letter, letter])
})

test.each([
  ['name', (i: number) => ({ ...signup('bob', `bob${i}@example.com`), username: cased('bob', i) })],
  ['address', (i: number) => signup(`bob${i}`, cased('bob@example.com', i))],
])('of 24 parallel registrations of one %s one succeeds', async (_, formOf) => {
  const started = await startAuth()
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      started.request.post('registration/', formOf(i), fromClient(i)),
    ),
  )
  const statuses = replies.map((reply) => reply.status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(23)
  expect(await countRows(started.db, 'users')).toBe(1)
  const letters = await started.mail.letters()
  expect(letters.filter((letter) => letter.template === 'verify-email')).toHaveLength(1)
})

const cased = (text: string, i: number): string => (i % 2 ? text.toUpperCase() : text)
