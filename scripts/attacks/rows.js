import { clientAt, newAddress } from './client.js'
import { RESETS_A_MINUTE } from './forwarded.js'

const SECONDS = 5
const AT_ONCE = 16
/** The default limit. */
const BEGINS_A_MINUTE = 60

/** One client sends requests that leave rows behind, as fast as it can. */
export const rows = {
  name: `rows that one client can leave in ${SECONDS} s`,
  async run({ url }) {
    const client = clientAt(url, newAddress())
    const until = performance.now() + SECONDS * 1000
    let asked = 0
    let letIn = 0
    const send = async (path, body) => {
      asked += 1
      if ((await client.post(path, body)).status === 200) letIn += 1
    }
    const lane = async (_, n) => {
      while (performance.now() < until) {
        await send('passkeys/login/begin/', { username: `u${n}-${asked}` })
        await send('password/reset/', { email: `u${n}-${asked}@example.com` })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return {
      passed: letIn <= BEGINS_A_MINUTE + RESETS_A_MINUTE && asked > letIn,
      figure: `${letIn} of ${asked} requests were let in`,
    }
  },
}
