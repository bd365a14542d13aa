import { expect, test, vi } from 'vitest'
import { isEmail, nameKey, normalizeUsername } from '../../src/kernel/names.ts'

test.each([
  ['ada', ['ADA', 'ａｄａ', 'Ａda', '𝐚𝐝𝐚']],
  ['strasse', ['straße', 'STRASSE', 'STRAẞE']],
  [
    'ada@example.com',
    ['ADA@Example.com', 'ａda@example.com', 'ada＠example.com', 'ada﹫example.com'],
  ],
  ['ada@example.com', ['ada@exam\u00ADple.com', 'ada@ｅxample.com', 'ada@example。com']],
  ['ada@xn--mnchen-3ya.de', ['ada@münchen.de', 'Ada@MÜNCHEN.de', 'ada@mu\u0308nchen.de']],
  ['ada@123', ['ADA@123']],
  ['a@b@c', ['A@b@C']],
])('%s has one key in all its spellings', (key, spellings) => {
  for (const spelling of [key, ...spellings]) expect(nameKey(spelling)).toBe(key)
})

test.each([
  ['ada@straße.de', 'ada@strasse.de'],
  ['a\u00ADda@example.com', 'ada@example.com'],
  ['ada@123', 'ada@0.0.0.123'],
])('%s and %s are two', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other))
})

test('a key is its own key: what is stored is what is looked for', () => {
  for (const name of ['ＡＤＡ', 'ada＠MÜNCHEN.de', 'Straße', 'x@exam\u00ADple.com', 'ﬀ@ﬀ']) {
    expect(nameKey(nameKey(name))).toBe(nameKey(name))
  }
})

test('no character becomes an @ but those that are taken for one', () => {
  const others = Array.from({ length: 0x10ffff }, (_, code) => code)
    .filter((code) => code !== 0x40 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => character.normalize('NFKC').includes('@'))
  expect(others).toEqual(['﹫', '＠'])
})

test('what is longer than any name is neither normalised nor taken for an address', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  try {
    for (const long of [
      '\u0300'.repeat(60_000),
      `a@${'漢'.repeat(20_000)}`,
      `${'ﷺ'.repeat(509)}`,
    ]) {
      expect(nameKey(long)).toBe(long)
      expect(normalizeUsername(long)).toBe(long)
      expect(isEmail(long)).toBe(false)
    }
    expect(normalize).not.toHaveBeenCalled()
  } finally {
    normalize.mockRestore()
  }
})

test('an address is no longer in ASCII than an address may be', () => {
  const domain = `${Array.from({ length: 12 }, () => '漢字仮名交じり文漢字').join('.')}.example`
  expect(`ada@${domain}`.length).toBeLessThan(254)
  expect(isEmail(`ada@${domain}`)).toBe(false)
  expect(isEmail('ada@漢字仮名交じり文.example')).toBe(true)
})
