import { expect, test } from 'vitest'
import { createUserWithMfa } from '../../support/mfa.ts'
import { SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const NEW_KEY = 'another secret key for tests, long enough'
/** As many statements as fit into the deadline of a transaction when each takes 200 ms. */
const MOST = 25

test('values are resealed in small batches, which end in time even with a slow database', async () => {
  const before = await startAuth({ REST_AUTH: { MFA_RECOVERY_CODE_COUNT: 50 } }, { shared: true })
  await createUserWithMfa(before, 'ada')
  const keys = { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] }
  const { reseal } = (await startAuth(keys, { beside: before })).auth.services
  const all = await reseal.countOutdated()

  const seen = [0]
  await reseal.run(
    (count) => seen.push(count),
    () => false,
  )
  expect(seen.at(-1)).toBe(all)
  const sizes = seen.slice(1).map((count, i) => count - (seen[i] ?? 0))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST)
  expect(await reseal.countOutdated()).toBe(0)
})
