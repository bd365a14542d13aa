import { expect, test } from 'vitest'
import type { Registering } from '../../../src/core/hooks.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { STRONG, signup } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import {
  endless,
  holdTimers,
  passSeconds,
  startWithHooks,
  writesNothing,
} from '../../support/hooks.ts'

const closed = () => refuse('Registration is by invitation.')
const CLOSED = { non_field_errors: ['Registration is by invitation.'] }

test('a refused registration leaves nothing behind: no row, no mail, no cookie', async () => {
  const auth = await startWithHooks({ registering: closed })
  const reply = await writesNothing(auth, () => auth.request.post('registration/', signup('ada')))
  expect(reply).toMatchReply(400, CLOSED)
  expect(reply.cookies).toEqual([])
})

test('it can refuse single fields, and may be async', async () => {
  const auth = await startWithHooks({
    async registering({ fields }) {
      if (!fields.email.endsWith('@example.com'))
        throw refuse({ email: ['Use your work address.'] })
    },
  })
  const { request } = auth
  const stranger = signup('eve', 'eve@elsewhere.example')
  const reply = await writesNothing(auth, () => request.post('registration/', stranger))
  expect(reply).toMatchReply(400, { email: ['Use your work address.'] })
  expect(await request.post('registration/', signup('ada'))).toMatchReply(201, KEY)
})

test('it sees the fields as they will be stored, never a password, and cannot change them', async () => {
  const seen: Registering[] = []
  const { request, findUser } = await startWithHooks(
    {
      registering(registration) {
        seen.push(registration)
        const { fields } = registration as { fields: Record<string, unknown> }
        expect(() => {
          fields.username = 'root'
        }).toThrow(TypeError)
        expect(() => (fields.tags as string[]).push('admin')).toThrow(TypeError)
      },
    },
    {
      USER_FIELDS: { tags: { type: 'list', signup: true }, plan: { type: 'string', signup: true } },
    },
  )
  const form = { ...signup('ＡＤＡ', 'Ada@EXAMPLE.com'), tags: ['a'], is_staff: true }
  const reply = await request.post('registration/', form, { from: '2001:db8::7' })
  expect(reply).toMatchReply(201, KEY)
  expect(seen).toEqual([
    {
      fields: {
        username: 'ADA',
        email: 'ada@example.com',
        first_name: '',
        last_name: '',
        tags: ['a'],
      },
      method: 'registration',
      address: '2001:db8::7',
    },
  ])
  expect(JSON.stringify(seen)).not.toContain(STRONG)
  expect(await findUser('ada')).toMatchObject({ username: 'ADA', email: 'ada@example.com' })
})

test('it is asked last: not about a form that is refused anyway', async () => {
  let asked = 0
  const { request, createUser } = await startWithHooks({
    registering() {
      asked += 1
    },
  })
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const forms = [
    signup('ada', 'other@example.com'),
    signup('other', 'ada@example.com'),
    { ...signup('bob'), password1: '1234', password2: '1234' },
    { ...signup('bob'), password2: 'another one' },
  ]
  for (const form of forms) expect((await request.post('registration/', form)).status).toBe(400)
  expect(asked).toBe(0)
  expect((await request.post('registration/', signup('bob'))).status).toBe(201)
  expect(asked).toBe(1)
})

const broken = new Error('the directory of the company is down')

test.each([
  [
    'throws',
    () => {
      throw broken
    },
  ],
  ['rejects', () => Promise.reject(broken)],
])('a hook that %s is logged, and refuses with 503', async (_, registering) => {
  const auth = await startWithHooks({ registering })
  const form = signup('ada')
  const reply = await writesNothing(auth, () => auth.request.post('registration/', form))
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(reply.headers['retry-after']).toBe('5')
  expect(reply.cookies).toEqual([])
  const log = auth.lines.join('')
  expect(log).toContain('"hook":"registering"')
  expect(log).toContain(broken.message)
  expect(log).not.toContain(STRONG)
})

test('a hook that takes longer than five seconds refuses, and what it says later is ignored', async () => {
  const late = endless()
  const auth = await startWithHooks({ registering: late.hook })
  holdTimers()
  let isAnswered = false
  const reply = await writesNothing(auth, async () => {
    const answering = auth.request.post('registration/', signup('ada')).finally(() => {
      isAnswered = true
    })
    await late.begun
    await passSeconds(4.999)
    expect(isAnswered).toBe(false)
    await passSeconds(0.001)
    const answer = await answering
    late.end()
    return answer
  })
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(auth.lines.join('')).toContain('"hook":"registering"')
})
