import { expect, test } from 'vitest'
import { userFields } from '../../src/settings/kinds/user-fields.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { mistakesOf } from './mistakes-of.ts'

test('a declaration is filled in', () => {
  const { USER_FIELDS } = resolveSettings({ USER_FIELDS: { phone: { type: 'string' } } })
  expect(USER_FIELDS).toEqual({
    phone: {
      type: 'string',
      max_length: 255,
      min: null,
      max: null,
      choices: null,
      required: false,
      default: null,
      editable: true,
      signup: false,
      unique: false,
    },
  })
})

test('what is shown of it can be given again', () => {
  const USER_FIELDS = {
    age: { type: 'integer', min: 0, max: 150 },
    plan: { type: 'string', choices: ['free', 'paid'], default: 'free' },
    tags: { type: 'list', max_length: 3, choices: ['a', 'b'] },
  }
  const first = resolveSettings({ USER_FIELDS }).USER_FIELDS
  expect(resolveSettings({ USER_FIELDS: userFields.show(first) }).USER_FIELDS).toEqual(first)
})

test.each([
  'password',
  'is_staff',
  'is_superuser',
  'groups',
  'pk',
  'id',
  'username',
  'email',
  'password1',
  'date_joined',
  'impersonated_by',
  'mfa_setup_required',
  'Phone',
  '1st',
  '_x',
  '__proto__',
  'x'.repeat(41),
  'a-b',
  '',
])('no field is called %j', (name) => {
  const USER_FIELDS = JSON.parse(JSON.stringify({}).replace('}', `"${name}":{"type":"string"}}`))
  const [mistake, ...others] = mistakesOf({ USER_FIELDS })
  expect(mistake).toMatch(
    /^USER_FIELDS \(settings\): got ".*", expected a name of at most 40 lower-case/,
  )
  expect(others).toEqual([])
})

test.each<[declaration: object, mistake: string]>([
  [{}, 'type (settings): got undefined, expected string, integer,'],
  [{ type: 'text' }, 'type (settings): got "text", expected string, integer,'],
  [{ type: 'string', lenght: 3 }, ' (settings): got "lenght", expected an object with no other'],
  [{ type: 'integer', max_length: 3 }, 'max_length (settings): got 3, expected nothing'],
  [{ type: 'string', min: 3 }, 'min (settings): got 3, expected nothing'],
  [{ type: 'date', max: 3 }, 'max (settings): got 3, expected nothing'],
  [{ type: 'integer', min: 3, max: 2 }, 'min (settings): got 3, expected at most 2'],
  [{ type: 'integer', default: 'x' }, 'default (settings): got "x", expected a value of the field'],
  [{ type: 'integer', max: 2, default: 3 }, 'default (settings): got 3, expected a value'],
  [{ type: 'string', choices: ['a'], default: 'b' }, 'default (settings): got "b", expected'],
  [{ type: 'integer', choices: [1, 'x'] }, 'choices (settings): got "x", expected a list of 1'],
  [{ type: 'string', choices: [] }, 'choices (settings): got [], expected a list of 1'],
  [{ type: 'string', choices: 'a,b' }, 'choices (settings): got "a,b", expected a list of 1'],
  [{ type: 'string', choices: [null] }, 'choices (settings): got null, expected a list of 1'],
  [
    { type: 'list', choices: [['a']] },
    "choices (settings): got [ 'a' ], expected a list of 1 to 1000 values of the type string",
  ],
  [{ type: 'string', unique: true, default: 'x' }, 'default (settings): got "x", expected none'],
  [{ type: 'string', signup: 'maybe' }, 'signup (settings): got "maybe", expected true or false'],
])('%j stops the start', (declaration, mistake) => {
  const [first, ...others] = mistakesOf({ USER_FIELDS: { phone: declaration } })
  expect(first?.replace('USER_FIELDS.phone.', '').replace('USER_FIELDS.phone', '')).toContain(
    mistake,
  )
  expect(others).toEqual([])
})

const serializer = (given: object, USER_FIELDS = {}) =>
  mistakesOf({ REST_AUTH: { USER_DETAILS_SERIALIZER: given }, USER_FIELDS })

test('what user/ shows may be named and renamed, and what it cannot show stops the start', () => {
  const declared = { phone: { type: 'string' }, plan: { type: 'string', editable: false } }
  const fields = ['pk', 'tel']
  expect(serializer({ fields, as: { tel: 'phone' }, editable: ['tel'] }, declared)).toEqual([])
  expect(serializer({ fields, as: { tel: 'phone' } })).toEqual([
    expect.stringContaining('users have no field phone; they have pk, '),
  ])
  expect(serializer({ fields: ['pk'], as: { tel: 'phone' } }, declared)).toEqual([
    'REST_AUTH.USER_DETAILS_SERIALIZER: "as" renames a field to tel, which "fields" does not list',
  ])
  expect(serializer({ editable: ['plan'] }, declared)).toEqual([
    expect.stringMatching(
      /: plan cannot be editable; only these can: .*last_name, language, phone$/,
    ),
  ])
  for (const name of ['is_staff', 'is_superuser', 'groups', 'id', 'email', 'email_verified']) {
    expect(serializer({ fields: [name], editable: [name] })).toHaveLength(1)
  }
  expect(serializer({ fields: ['x'], as: { x: 'constructor' } })).toHaveLength(1)
})
