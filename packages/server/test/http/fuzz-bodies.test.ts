import { expect, test } from 'vitest'
import { damage, seeded } from '../support/seeded.ts'
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

test.each(Object.entries(BODIES))(
  'a damaged %s body is refused, and harms nothing',
  async (type, body) => {
    const { app } = await startAuth({ ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } } })
    const random = seeded(7)
    const statuses = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const payload = damage(Buffer.from(body), random)
      const headers = { 'content-type': type }
      const reply = await app.inject({ method: 'POST', url: '/auth/login/', headers, payload })
      statuses.add(reply.statusCode)
    }
    expect([...statuses]).toEqual([400])
  },
)
