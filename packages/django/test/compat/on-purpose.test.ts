import { expect, test } from 'vitest'
import { compare } from '../../src/commands/compat/compare.ts'
import { explain } from '../../src/commands/compat/on-purpose.ts'

const answer = (body: object, headers = {}) => ({ status: 200, headers, cookies: new Map(), body })

function explained(before: object, after: object, headers = {}) {
  const [old, young] = [answer(before), answer(after, headers)]
  return compare(old, young).map((difference) => [
    difference.at,
    explain({ step: { name: 'login/' }, old, young, difference })?.split(' ', 2)[1] ?? null,
  ])
}

const TOKENS = { access_token: 'a.b.c', refresh_token: 'd.e.f', user: { pk: 1, first_name: '' } }

test('what a login gives may have further names', () => {
  const { access_token: access, user } = TOKENS
  expect(explained(TOKENS, { ...TOKENS, access, profile: user })).toEqual([
    ['body.access', 'REST_AUTH.ANSWER_NAMES'],
    ['body.profile.pk', 'REST_AUTH.ANSWER_NAMES'],
    ['body.profile.first_name', 'REST_AUTH.ANSWER_NAMES'],
  ])
})

test('a value that happens to be the same is no further name', () => {
  const ada = { pk: 1, username: 'ada', first_name: '' }
  expect(explained(ada, { ...ada, phone: '', nickname: 'ada' })).toEqual([
    ['body.phone', null],
    ['body.nickname', null],
  ])
  expect(explained(TOKENS, { ...TOKENS, access: 'g.h.i' })).toEqual([['body.access', null]])
  const more = { ...TOKENS, user: { ...TOKENS.user, phone: '' } }
  expect(explained(TOKENS, more)).toEqual([['body.user.phone', null]])
})

test('a header or cookie is no name, also if the new answer has no credential', () => {
  const refused = explained({ key: 'x' }, { detail: 'No.' }, { 'retry-after': '5' })
  expect(refused).toEqual([
    ['body.key', null],
    ['header retry-after', null],
    ['body.detail', null],
  ])
})
