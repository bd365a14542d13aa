import { countStatuses } from '../torture/parts/client.js'
import { clientAt, newAddress } from './client.js'

const COMMAS = 1023
const TRIES = 6
/** As `run-attacks.js` sets it. */
export const RESETS_A_MINUTE = 2

export const forwarded = {
  name: 'forged X-Forwarded-For past a limit of two',
  async run({ url }) {
    const client = clientAt(url, newAddress())
    const replies = []
    for (let i = 0; i < TRIES; i++) {
      const forged = `203.0.113.${i}${','.repeat(COMMAS)}`
      const body = { email: `nobody${i}@example.com` }
      replies.push(await client.postForwarded('password/reset/', body, forged))
    }
    const passed = replies.filter(({ status }) => status === 200).length === RESETS_A_MINUTE
    const others = replies.filter(({ status }) => status === 429).length
    return {
      passed: passed && others === TRIES - RESETS_A_MINUTE,
      figure: countStatuses(replies),
    }
  },
}
