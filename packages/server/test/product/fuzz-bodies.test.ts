import { expect, test } from 'vitest'
import { startAuth } from '../support/start-auth.ts'

const ROUNDS = 300

const BODIES = {
  'application/json': '{"username":"ada","password":"pw","n":[1,{"a":null}],"x":1.5e3}',
  'application/x-www-form-urlencoded': 'username=ada&password=p%20w&a[b]=c',
  'multipart/form-data; boundary=b': [
    '--b\r\nContent-Disposition: form-data; name="username"\r\n\r\nada\r\n',
    '--b\r\nContent-Disposition: form-data; name="password"; filename="f"\r\n\r\npw\r\n--b--\r\n',
  ].join(''),
}

/** The same damage in every run. */
function damager(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % limit
  }
  return (body: Buffer): Buffer => {
    const at = below(body.length)
    const until = at + below(30)
    const byte = Buffer.of(below(256))
    const ways = [
      () => body.subarray(0, at),
      () => Buffer.concat([body.subarray(0, at), byte, body.subarray(at + 1)]),
      () => Buffer.concat([body.subarray(0, at), body.subarray(until)]),
      () => Buffer.concat([body.subarray(0, at), body.subarray(below(body.length))]),
    ]
    return (ways[below(ways.length)] ?? (() => body))()
  }
}

test.each(Object.entries(BODIES))(
  'a damaged %s body is refused, and harms nothing',
  async (type, body) => {
    const { app } = await startAuth({ ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } } })
    const damage = damager(7)
    const statuses = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const payload = damage(Buffer.from(body))
      const headers = { 'content-type': type }
      const reply = await app.inject({ method: 'POST', url: '/auth/login/', headers, payload })
      statuses.add(reply.statusCode)
    }
    expect([...statuses]).toEqual([400])
  },
)
