import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { serialiserOf } from '../../src/http/serialise.ts'

const User = Type.Object({ pk: Type.Integer(), email: Type.Optional(Type.String()) })
const Time = Type.Union([Type.String(), Type.Null()])
const Key = Type.Object({ key: Type.String(), user: Type.Optional(User) })
const Due = Type.Object({ mfa_required: Type.Literal(true) })

test.each<[string, TSchema, unknown, unknown]>([
  ['a member that is not named', User, { pk: 1, password: 'hash' }, { pk: 1 }],
  [
    'one deep inside',
    Type.Array(Key),
    [{ key: 'k', user: { pk: 1, password: 'hash' } }],
    [{ key: 'k', user: { pk: 1 } }],
  ],
  [
    'one beside the second of two alternatives',
    Type.Union([Key, Due]),
    { mfa_required: true, user: { pk: 1 } },
    { mfa_required: true },
  ],
])('%s does not go out', (_, schema, answer, sent) => {
  expect(JSON.parse(serialiserOf(schema)(answer))).toEqual(sent)
})

test.each<[string, TSchema, unknown]>([
  ['text with quotes, line ends and other letters', Type.String(), '"a"\n\u2028\u0000é😀'],
  ['half of a letter', Type.String(), '\ud83d'],
  ['a member with quotes in its name', Type.Object({ '"': Type.Null() }), { '"': null }],
  ['an entry with quotes in its name', Type.Record(Type.String(), Type.String()), { '"': 'a' }],
  ['yes', Type.Boolean(), true],
  ['a large number', Type.Number(), 1e21],
  ['zero with a sign', Type.Integer(), -0],
  ['no time', Time, null],
  ['a time', Time, '2026-01-01T00:00:00Z'],
  ['a number that is no integer', Type.Number(), 1.5],
  ['an empty list', Type.Array(User), []],
  ['members of any name', Type.Record(Type.String(), Type.String()), { kty: 'RSA', n: 'AQ' }],
  ['nothing', Type.Object({}), {}],
])('%s goes out as it is', (_, schema, answer) => {
  expect(serialiserOf(schema)(answer)).toBe(JSON.stringify(answer))
})

test.each<[string, TSchema, unknown]>([
  ['a member that is missing', User, { email: 'ada@example.com' }],
  ['an object in the place of text', Type.String(), { password: 'hash' }],
  ['an object in the place of a list', Type.Array(User), { pk: 1 }],
  ['a list with one wrong item', Type.Array(User), [{ pk: 1 }, { pk: '2' }]],
  ['text in the place of a number', User, { pk: '1' }],
  ['no number', User, { pk: Number.NaN }],
  ['no end of a number', Type.Number(), Number.POSITIVE_INFINITY],
  ['none of the alternatives', Type.Union([Key, Due]), { mfa_required: false }],
  ['a record with an object in it', Type.Record(Type.String(), Type.String()), { jwk: {} }],
])('%s is a fault of ours, and nothing goes out', (_, schema, answer) => {
  expect(() => serialiserOf(schema)(answer)).toThrow('does not fit')
})

test('a schema that cannot be kept is noticed at the start', () => {
  expect(() => serialiserOf(Type.Array(Type.Any()))).toThrow('No answer can have the type')
})
