import { countStatuses } from '../torture/parts/client.js'
import { clientAt, newAddress, signup } from './client.js'

const CONNECTIONS = 300
const ROUNDS = 5
const LOGINS = 8
/** The default limit, for one client address. */
const SIGNUPS_A_MINUTE = 20

export const flood = {
  name: `${CONNECTIONS} connections that register, beside ${LOGINS} honest logins`,
  async run({ url, credentials }) {
    const client = clientAt(url, newAddress())
    const floods = []
    const startedAt = performance.now()
    const register = async (_, n) => {
      for (let round = 0; round < ROUNDS; round++) {
        floods.push(await client.post('registration/', signup(`flood-${n}-${round}`)))
      }
    }
    const flooding = Promise.all(Array.from({ length: CONNECTIONS }, register))
    const logIn = () => clientAt(url, newAddress()).post('login/', credentials)
    const logins = await Promise.all(Array.from({ length: LOGINS }, logIn))
    await flooding
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000)
    const signedUp = floods.filter(({ status }) => status === 201).length
    const slowest = Math.max(...logins.map(({ ms }) => ms))
    return {
      passed:
        logins.every(({ status }) => status === 200) && signedUp <= SIGNUPS_A_MINUTE * minutes,
      figure: `logins: ${countStatuses(logins)}, slowest ${(slowest / 1000).toFixed(1)} s; sign-ups: ${countStatuses(floods)}`,
    }
  },
}
