import { expect, test } from 'vitest'
import { HostRefusal, type RefusalWords, refuse } from '../../src/kernel/refuse.ts'

const refusal = (why: RefusalWords): unknown => {
  try {
    return refuse(why)
  } catch (error) {
    return error
  }
}

test('a refusal has the shape of all refusals, and is thrown even if the hook forgets to', () => {
  const general = refusal('Closed.')
  expect(general).toBeInstanceOf(HostRefusal)
  expect(general).toMatchObject({ status: 400, body: { non_field_errors: ['Closed.'] } })
  expect(refusal({ email: ['Not this one.', 'Nor any other.'], username: ['No.'] })).toMatchObject({
    status: 400,
    body: { email: ['Not this one.', 'Nor any other.'], username: ['No.'] },
    words: ['Not this one.', 'Nor any other.', 'No.'],
  })
})

test.each([
  [
    '',
    ' ',
    undefined,
    null,
    7,
    {},
    [],
    { email: [] },
    { email: 'No.' },
    { email: [7] },
    { email: Array(1) },
  ],
])('words that nobody could read are a mistake of the hook: %j', (...wrong) => {
  for (const why of wrong) {
    const error = refusal(why as unknown as RefusalWords)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).not.toBeInstanceOf(HostRefusal)
  }
})
