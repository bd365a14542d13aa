import { expect, test } from 'vitest'
import { compare } from '../../src/commands/compat/compare.ts'

const answer = (body: unknown) => ({ status: 200, headers: {}, cookies: new Map(), body })

test('the token of a login that waits for its second factor is neither compared nor printed', () => {
  const waiting = (ephemeral_token: string) => answer({ ephemeral_token, mfa_required: true })
  const [old, young] = [
    'eyJ1c2VyX2lkIjoxfQ:1abcde:signature',
    'Zk3nQv8sYt1wRb6xLc0mUe5hJd2gPa7fNi4oKq9jTzE',
  ]
  expect(compare(waiting(old), waiting(young))).toEqual([])
  const printed = JSON.stringify(compare(waiting(old), answer({ key: 'f'.repeat(40) })))
  expect(printed).not.toContain(old)
  expect(compare(answer({ primary_key: '5' }), answer({ primary_key: 'a1' }))).toHaveLength(1)
  expect(compare(answer({ token: ['Invalid.'] }), answer({ token: ['Wrong.'] }))).toHaveLength(1)
})
