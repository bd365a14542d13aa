import { expect, test } from 'vitest'
import type { HostOptions } from '../../src/core/host/host-options.ts'
import { UNAVAILABLE } from '../support/answers.ts'
import { UNLIMITED } from '../support/hooks.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const NO = () => {
  throw new Error('do not look at me')
}
/** Throws whatever is done with it. */
const untouchable = (target: object) =>
  new Proxy(target, {
    get: NO,
    has: NO,
    getPrototypeOf: NO,
    ownKeys: NO,
    getOwnPropertyDescriptor: NO,
  })

const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

const THROWN: Record<string, unknown> = {
  null: null,
  undefined: undefined,
  'a text': 'quota',
  'a number': 0,
  'a symbol': Symbol('x'),
  'an object without a prototype': Object.create(null),
  'a proxy that throws': untouchable({}),
  'a proxy of an error': untouchable(new Error('x')),
  'a revoked proxy': revoked,
  'an error whose message throws': Object.defineProperty(new Error('x'), 'message', { get: NO }),
  'a frozen error': Object.freeze(new Error('x')),
}

const SIGNUP = {
  username: 'bob',
  email: 'bob@example.com',
  password1: PASSWORD,
  password2: PASSWORD,
}

/** Everything of a host that is asked before an answer, as functions that throw or return a value. */
const PLUGS: Record<string, (say: () => never) => HostOptions> = {
  registering: (registering) => ({ hooks: { registering } }),
  signingIn: (signingIn) => ({ hooks: { signingIn } }),
  claims: (claims) => ({ hooks: { claims } }),
  passwordRules: (passwordRules) => ({ passwordRules }),
  usernameRules: (usernameRules) => ({ usernameRules }),
}

test.each(Object.keys(PLUGS))('%s: whatever is thrown, it is a 503 and one line', async (name) => {
  let what: unknown
  const say = (): never => {
    throw what
  }
  const lines: string[] = []
  const { request, db, settings } = await startAuth(
    { ACCOUNT: UNLIMITED, REST_AUTH: { USE_JWT: true } },
    { ...PLUGS[name]?.(say), onLogLine: (line) => lines.push(line) },
  )
  expect(settings.REST_AUTH.USE_JWT).toBe(true)
  const isAfterSignup = name === 'signingIn' || name === 'claims'
  let users = 0
  for (const [thrown, value] of Object.entries(THROWN)) {
    what = value
    lines.length = 0
    const username = `bob${users}`
    const form = { ...SIGNUP, username, email: `${username}@example.com` }
    const reply = await request.post('registration/', form)
    expect([thrown, reply.status]).toEqual([thrown, 503])
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.cookies).toEqual([])
    const told = lines.filter((line) => JSON.parse(line).level >= 40)
    expect(told).toHaveLength(1)
    expect(JSON.parse(String(told[0]))).toMatchObject({ hook: name })
    // The account exists before the user is logged in.
    if (isAfterSignup) users++
    const { length } = await db.selectFrom('users').select('id').execute()
    expect(length).toBe(users)
  }
})
