import { afterAll, expect, test } from 'vitest'
import { startAuth } from '../../support/start-auth.ts'

const USER_FIELDS = {
  company: { type: 'string', max_length: 10 },
  motto: { type: 'string', required: true },
  age: { type: 'integer', min: 0, max: 150 },
  height: { type: 'number' },
  newsletter: { type: 'boolean', default: false },
  born: { type: 'date' },
  seen: { type: 'datetime' },
  site: { type: 'url', max_length: 40 },
  tags: { type: 'list', max_length: 3 },
  plan: { type: 'string', choices: ['free', 'paid'], default: 'free' },
  level: { type: 'integer', choices: [1, 2] },
  colours: { type: 'list', choices: ['red', 'green'] },
}

const auth = await startAuth({ USER_FIELDS }, { atTheEnd: afterAll })
const token = await auth.createUserWithToken('ada')
const patch = (body: object) => auth.request.patch('user/', body, { token })

test('a user without values has the defaults, after the five usual fields', async () => {
  const { body } = await auth.request.get('user/', { token })
  expect(body).toEqual({
    pk: expect.any(Number),
    username: 'ada',
    email: 'ada@example.com',
    first_name: '',
    last_name: '',
    company: null,
    motto: null,
    age: null,
    height: null,
    newsletter: false,
    born: null,
    seen: null,
    site: null,
    tags: null,
    plan: 'free',
    level: null,
    colours: null,
  })
  expect(Object.keys(body as object).slice(5)).toEqual(Object.keys(USER_FIELDS))
})

test.each<[field: string, sent: unknown, kept: unknown]>([
  ['company', ' Engines ', 'Engines'],
  ['company', '', ''],
  ['company', 12, '12'],
  ['company', '😀'.repeat(10), '😀'.repeat(10)],
  ['company', null, null],
  ['age', 36, 36],
  ['age', '36', 36],
  ['age', 36.0, 36],
  ['age', '36.0', 36],
  ['age', 0, 0],
  ['age', 150, 150],
  ['age', '', null],
  ['height', 1.65, 1.65],
  ['height', '-1e3', -1000],
  ['newsletter', true, true],
  ['newsletter', 'off', false],
  ['newsletter', 1, true],
  ['newsletter', 'True', true],
  ['born', '1815-12-10', '1815-12-10'],
  ['born', '2024-02-29', '2024-02-29'],
  ['seen', '2030-01-01T12:00', '2030-01-01T12:00:00.000Z'],
  ['seen', '2030-01-01T12:00:30.123456+02:00', '2030-01-01T10:00:30.123Z'],
  ['seen', '2030-01-01 12:00:00Z', '2030-01-01T12:00:00.000Z'],
  ['site', 'https://example.com/ada?x=1', 'https://example.com/ada?x=1'],
  ['site', 'http://localhost:3000', 'http://localhost:3000'],
  ['tags', ['a', ' b ', 3], ['a', 'b', '3']],
  ['tags', [], []],
  ['plan', 'paid', 'paid'],
  ['level', '2', 2],
  ['colours', ['red'], ['red']],
])('%s: %j is kept as %j', async (field, sent, kept) => {
  expect(await patch({ [field]: sent })).toMatchReply(
    200,
    expect.objectContaining({ [field]: kept }),
  )
  const { body } = await auth.request.get('user/', { token })
  expect(body).toMatchObject({ [field]: kept })
})

const DATE = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'
const DATETIME =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'
const INTEGER = 'A valid integer is required.'
const NUMBER = 'A valid number is required.'

test.each<[field: string, sent: unknown, message: string]>([
  ['company', 'x'.repeat(11), 'Ensure this field has no more than 10 characters.'],
  ['company', true, 'Not a valid string.'],
  ['company', 'a\0b', 'Null characters are not allowed.'],
  ['motto', '', 'This field may not be blank.'],
  ['motto', null, 'This field may not be null.'],
  ['age', 'x', INTEGER],
  ['age', 1.5, INTEGER],
  ['age', true, INTEGER],
  ['age', [1], INTEGER],
  ['age', '0x10', INTEGER],
  ['age', '9'.repeat(60_000), INTEGER],
  ['age', '9007199254740993', INTEGER],
  ['age', -1, 'Ensure this value is greater than or equal to 0.'],
  ['age', 151, 'Ensure this value is less than or equal to 150.'],
  ['height', 'NaN', NUMBER],
  ['height', '1e999', NUMBER],
  ['newsletter', 'maybe', 'Must be a valid boolean.'],
  ['newsletter', {}, 'Must be a valid boolean.'],
  ['born', '10.12.1815', DATE],
  ['born', '2023-02-29', DATE],
  ['born', '2023-13-01', DATE],
  ['seen', '2030-01-01', DATETIME],
  ['seen', '2030-02-30T12:00', DATETIME],
  ['seen', '2030-01-01T25:00', DATETIME],
  ['seen', '9999-12-31T23:59:59-01:00', DATETIME],
  ['seen', '0001-01-01T00:00:00+01:00', DATETIME],
  ['site', 'javascript:alert(1)', 'Enter a valid URL.'],
  ['site', 'example.com', 'Enter a valid URL.'],
  ['site', 'https://', 'Enter a valid URL.'],
  [
    'site',
    `https://example.com/${'x'.repeat(40)}`,
    'Ensure this field has no more than 40 characters.',
  ],
  ['tags', 'a', 'Expected a list of items but got type "str".'],
  ['tags', { a: 1 }, 'Expected a list of items but got type "dict".'],
  ['tags', ['a', 'b', 'c', 'd'], 'Ensure this field has no more than 3 elements.'],
  ['tags', [null, null], 'This field may not be null.'],
  ['tags', [[]], 'Not a valid string.'],
  ['tags', ['x'.repeat(256)], 'Ensure this field has no more than 255 characters.'],
  ['plan', 'gold', '"gold" is not a valid choice.'],
  ['level', 'x', '"x" is not a valid choice.'],
  ['level', 3, '"3" is not a valid choice.'],
  ['colours', ['red', 'blue'], '"blue" is not a valid choice.'],
])('%s: %j is refused, and nothing changes', async (field, sent, message) => {
  const before = await auth.findUser('ada')
  expect(await patch({ [field]: sent, first_name: 'X' })).toMatchReply(400, { [field]: [message] })
  expect(await auth.findUser('ada')).toEqual(before)
})

test('all faults are reported together', async () => {
  expect(await patch({ age: 'x', born: 'x', username: '' })).toMatchReply(400, {
    age: [INTEGER],
    born: [DATE],
    username: ['This field may not be blank.'],
  })
})

test('forms carry values, too, and nothing is no value', async () => {
  const type = 'application/x-www-form-urlencoded'
  const form = 'age=7&newsletter=on&born=&company=Ink'
  const reply = await auth.request.patch('user/', form, { token, type })
  const kept = { age: 7, newsletter: true, born: null, company: 'Ink' }
  expect(reply).toMatchReply(200, expect.objectContaining(kept))
})

test.each<[kind: string, form: string, kept: string[]]>([
  ['one value', 'tags=a', ['a']],
  ['a name that is repeated', 'tags=a&tags=+b+', ['a', 'b']],
  ['numbered names, in the order of the numbers', 'tags[1]=b&tags[0]=a&tags[x]=c', ['a', 'b']],
  ['nothing', 'tags=', []],
])('a list in a form: %s', async (_, form, kept) => {
  const type = 'application/x-www-form-urlencoded'
  const reply = await auth.request.patch('user/', `company=X&company=Y&${form}`, { token, type })
  expect(reply).toMatchReply(200, expect.objectContaining({ tags: kept, company: 'Y' }))
})

test('a list in a multipart form, and what is wrong with one', async () => {
  const good = new FormData()
  good.append('tags', 'a')
  good.append('tags', 'b')
  expect(await sendForm(good)).toMatchReply(200, expect.objectContaining({ tags: ['a', 'b'] }))

  const bad = new FormData()
  for (const tag of ['a', 'b', 'c', 'd']) bad.append('tags', tag)
  bad.append('colours', 'red')
  bad.append('colours', 'blue')
  expect(await sendForm(bad)).toMatchReply(400, {
    tags: ['Ensure this field has no more than 3 elements.'],
    colours: ['"blue" is not a valid choice.'],
  })
  const file = new FormData()
  file.append('tags', new Blob(['x']), 'x.txt')
  expect(await sendForm(file)).toMatchReply(400, { tags: ['Not a valid string.'] })
})

async function sendForm(form: FormData) {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return auth.request.patch('user/', await encoded.text(), { token, type })
}

test('PUT, too, leaves what is not sent, and takes neither null nor blank for what is required', async () => {
  const put = (body: object) => auth.request.put('user/', body, { token })
  await put({ motto: 'Engines think.' })
  expect(await put({ age: 7 })).toMatchReply(
    200,
    expect.objectContaining({ motto: 'Engines think.', age: 7 }),
  )
  expect(await put({ motto: null })).toMatchReply(400, { motto: ['This field may not be null.'] })
  expect(await put({ motto: ' ' })).toMatchReply(400, { motto: ['This field may not be blank.'] })
})
