import { countStatuses } from '../torture/parts/client.js'
import { clientAt, newAddress, signup } from './client.js'

const FAILURES = 10

const SPELLINGS = [
  ['full-width', 'vera', 'nina', (name) => `${wide(name)}@example.com`],
  ['soft hyphen', 'vega', 'nora', (name) => `${name}@exam\u00ADple.com`],
]

/** Ten failures with another spelling, then one with the plain name. Its answer must tell nothing. */
export const spellings = SPELLINGS.map(([kind, known, unknown, spell]) => ({
  name: `the lock of logins, ${kind}`,
  async run({ url }) {
    await clientAt(url, newAddress()).post('registration/', signup(known))
    const probe = async (name) => {
      const client = clientAt(url, newAddress())
      const fail = (username) => client.post('login/', { username, password: 'wrong' })
      for (let i = 0; i < FAILURES; i++) await fail(spell(name))
      return fail(`${name}@example.com`)
    }
    const replies = [await probe(known), await probe(unknown)]
    return {
      passed: replies.every(({ status }) => status === 429),
      figure: `known and unknown: ${countStatuses(replies)}`,
    }
  },
}))

const wide = (name) =>
  name.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0) + 0xfee0))
