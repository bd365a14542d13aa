import { expect } from 'vitest'
import { UNABLE } from './answers.ts'
import { PASSWORD, type StartedAuth } from './start-auth.ts'

/** Logins with right and wrong passwords, from any address. */
export function guessing({ request }: Pick<StartedAuth, 'request'>) {
  const logIn = (name: string | object, password = PASSWORD, from = '127.0.0.1') => {
    const named = typeof name === 'string' ? { username: name } : name
    return request.post('login/', { ...named, password }, { from })
  }
  async function fail(name: string | object, times: number, from?: string) {
    for (let i = 0; i < times; i++) {
      expect(await logIn(name, 'wrong', from)).toMatchReply(400, UNABLE)
    }
  }
  return { logIn, fail }
}
