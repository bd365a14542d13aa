import { clientAt, newAddress, signup, statusesOf } from './client.js'

const CONNECTIONS = 300
const ROUNDS = 5
const LOGINS = 8

export const flood = {
  name: `${CONNECTIONS} connections that register, beside ${LOGINS} honest logins`,
  async run({ url, credentials }) {
    const client = clientAt(url, newAddress())
    const floods = []
    const register = async (_, n) => {
      for (let round = 0; round < ROUNDS; round++) {
        floods.push(await client.post('registration/', signup(`flood-${n}-${round}`)))
      }
    }
    const flooding = Promise.all(Array.from({ length: CONNECTIONS }, register))
    const logIn = () => clientAt(url, newAddress()).post('login/', credentials)
    const logins = await Promise.all(Array.from({ length: LOGINS }, logIn))
    await flooding
    const slowest = Math.max(...logins.map(({ ms }) => ms))
    return {
      passed: logins.every(({ status }) => status === 200),
      figure: `logins: ${statusesOf(logins)}, slowest ${(slowest / 1000).toFixed(1)} s; sign-ups: ${statusesOf(floods)}`,
    }
  },
}
