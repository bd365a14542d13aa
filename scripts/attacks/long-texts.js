import { countStatuses } from '../torture/parts/client.js'
import { clientAt, newAddress, signup } from './client.js'

const AT_ONCE = 8
/** Eight requests took sixteen seconds when the service still did the quadratic work. */
const PROBE_MS = 2000

/** Just below the limit of a body. Normalising either text takes quadratic time. */
const MARKS = `a${'\u0300\u0323'.repeat(15_000)}`
const HAN = `a@${'漢'.repeat(20_000)}.example`

const DOORS = [
  ['login, marks', 'login/', { username: MARKS, password: 'x' }],
  ['login, domain', 'login/', { email: HAN, password: 'x' }],
  ['passkey begin, marks', 'passkeys/login/begin/', { username: MARKS }],
  ['passkey begin, domain', 'passkeys/login/begin/', { email: HAN }],
  ['registration, marks', 'registration/', { ...signup('m'), username: MARKS }],
  ['registration, domain', 'registration/', { ...signup('m'), email: HAN }],
]

/** Sends eight at the same time to each endpoint, and one other request beside them. */
export const longTexts = DOORS.map(([door, path, body]) => ({
  name: `long texts: ${door}`,
  async run({ url }) {
    const probe = clientAt(url, newAddress())
    let isOver = false
    let slowest = 0
    const probing = (async () => {
      while (!isOver) slowest = Math.max(slowest, (await probe.get('csrf/')).ms)
    })()
    const attack = () => clientAt(url, newAddress()).post(path, body)
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, attack))
    isOver = true
    await probing
    return {
      passed: replies.every(({ status }) => status === 400) && slowest < PROBE_MS,
      figure: `${countStatuses(replies)}, slowest beside them ${Math.round(slowest)} ms`,
    }
  },
}))
