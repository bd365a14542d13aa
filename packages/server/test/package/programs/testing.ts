import { startTestService } from 'latchkey/testing'

const service = await startTestService({
  settings: { REST_AUTH: { USE_JWT: true } },
  seed: { users: [{ username: 'ada' }] },
})
const one: string | null = (await service.user({ totp: true })).access
const [first] = await service.users([{ username: 'b' }, {}])
const { link } = await service.letter({ kind: 'reset-password', wait: '5s' })
await service.clock.advance('3d')
await service.faults.add({ smtp: 'hang' })
// @ts-expect-error there is no such letter
await service.letter({ kind: 'reset-pasword' })
// @ts-expect-error nor such a unit
await service.clock.advance('3w')
// @ts-expect-error nor such a setting
await startTestService({ settings: { REST_AUTH: { USE_JVT: true } } })

export const shown = [one, first?.passkey?.privateKey, link]
