import { pino } from 'pino'
import { expect, test } from 'vitest'
import { composeService } from '../../src/compose-service.ts'
import { RESERVED_NAMES } from '../../src/features/social/configuration/configure-providers.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'

test('no provider can have the path of an endpoint, with any modules and modes', async () => {
  const auth = composeService(
    resolveSettings({
      SECRET_KEY: 'a secret key for tests only, long enough',
      DATABASE_URL: 'sqlite::memory:',
      REST_AUTH: { USE_JWT: true },
      ACCOUNT: { SIGNUP: 'invited', LOGIN_BY_CODE_ENABLED: true },
      INVITATIONS_BY_USERS: true,
      API_KEYS: true,
      INTROSPECTION_KEY: 'a key for tests only, which is long enough',
    }),
    { log: pino({ level: 'silent' }) },
  )
  const below = auth.endpoints().filter(({ atRoot }) => !atRoot)
  const firstWords = new Set(below.map(({ path }) => path.split('/')[0]))
  await auth.close()
  expect([...firstWords].filter((word) => !RESERVED_NAMES.includes(word ?? ''))).toEqual([])
})
