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
  expect(general).toMatchObject({ status: 400, words: ['Closed.'] })
  expect((general as HostRefusal).bodyIn()).toEqual({ non_field_errors: ['Closed.'] })
  const byField = refusal({ email: ['Not this one.', 'Nor any other.'], username: ['No.'] })
  expect(byField).toMatchObject({ words: ['Not this one.', 'Nor any other.', 'No.'] })
  expect((byField as HostRefusal).bodyIn()).toEqual({
    email: ['Not this one.', 'Nor any other.'],
    username: ['No.'],
  })
  expect((byField as HostRefusal).codes()).toEqual({
    email: ['refused_by_host', 'refused_by_host'],
    username: ['refused_by_host'],
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
