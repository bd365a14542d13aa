import { expect, test, vi } from 'vitest'
import { readValue } from '../../src/kernel/user-fields/read-value.ts'
import type { UserField } from '../../src/kernel/user-fields/user-field.ts'

const FIELD = { type: 'url', max_length: 10_000, choices: null, min: null, max: null } as UserField

const LONGEST = `${'a'.repeat(249)}.com`

test('a web address is taken as it was sent', () => {
  for (const url of [
    'https://example.com/a?b=c#d',
    'http://localhost:8000',
    'http://[::1]:8000/',
    'ftp://ada:secret@example.com',
    'ftps://example.com/',
    `https://${LONGEST}`,
    `https://${LONGEST}:65535/${'x'.repeat(5000)}`,
    `https://example.com?${'x'.repeat(5000)}`,
    `https://${'ada'.repeat(1000)}@example.com`,
  ]) {
    expect(readValue(FIELD, url)).toEqual({ value: url })
  }
})

const REFUSED = { faults: [{ text: 'Enter a valid URL.' }] }

test('other texts are refused', () => {
  for (const url of [
    'https://',
    'https://ada@',
    'https://a b.com',
    'https://a.com/\t/',
    'https://a',
  ]) {
    expect(readValue(FIELD, url), url).toMatchObject(REFUSED)
  }
})

test('a host with too many characters is refused before it is parsed', () => {
  const han = '\u4e00'.repeat(9000)
  const canParse = vi.spyOn(URL, 'canParse')
  const read = [
    `https://a${LONGEST}`,
    `https://a${LONGEST}:443/`,
    `https://${han}.com`,
    `https://ada@${han}.com/`,
    `https://ada@b@${han}.com\\@example.com`,
    `https://\\${han}.com`,
  ].map((url) => readValue(FIELD, url))
  const { calls } = canParse.mock
  vi.restoreAllMocks()
  for (const one of read) expect(one).toMatchObject(REFUSED)
  expect(calls).toEqual([])
})
