import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { startAuth } from '../../support/start-auth.ts'

const asking = (...names: string[]) => ({
  ACCOUNT: { SIGNUP_FIELDS: ['username*', 'email*', 'password1*', 'password2*', ...names] },
})

test('names that registration asks for are kept', async () => {
  const { request, findUser } = await startAuth(asking('first_name*', 'last_name'))
  const form = { ...signup('ada'), first_name: ' Ada ', last_name: 'Lovelace' }
  expect((await request.post('registration/', form)).status).toBe(201)
  expect(await findUser('ada')).toMatchObject({
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
})

test('a starred name is required, another may be left out or blank', async () => {
  const { request, administration } = await startAuth(asking('first_name*', 'last_name'))
  expect(await request.post('registration/', signup('ada'))).toMatchReply(400, {
    first_name: ['This field is required.'],
  })
  const blank = { ...signup('ada'), first_name: ' ', last_name: 'x'.repeat(151) }
  expect(await request.post('registration/', blank)).toMatchReply(400, {
    first_name: ['This field may not be blank.'],
    last_name: ['Ensure this field has no more than 150 characters.'],
  })
  expect(await administration.named('ada')).toEqual([])
  const form = { ...signup('ada'), first_name: 'Ada', last_name: '' }
  expect((await request.post('registration/', form)).status).toBe(201)
})

test.each([
  ['first_name', 'first name'],
  ['last_name', 'last name'],
])('a password like the %s is refused', async (field, attribute) => {
  const { request } = await startAuth(asking('first_name', 'last_name'))
  const password = 'Wolstonecraft'
  const form = { ...signup('ada'), password1: password, password2: password }
  expect(await request.post('registration/', { ...form, [field]: password })).toMatchReply(400, {
    password1: [`The password is too similar to the ${attribute}.`],
  })
})

test('names that are not part of registration are ignored', async () => {
  const { request, findUser } = await startAuth()
  const form = { ...signup('ada'), first_name: ['x'], last_name: 'Lovelace' }
  expect((await request.post('registration/', form)).status).toBe(201)
  expect(await findUser('ada')).toMatchObject({ first_name: '', last_name: '' })
})
