import { expect, test } from 'vitest'
import { type Pair, ROTATING, startJwt } from '../../support/jwt.ts'

const AT_ONCE = 64

async function threeInstances(SIMPLE_JWT: object) {
  const first = await startJwt({ SIMPLE_JWT }, { shared: true })
  const second = await startJwt({ SIMPLE_JWT }, { shared: true, beside: first })
  const third = await startJwt({ SIMPLE_JWT }, { shared: true, beside: first })
  return { ...first, instances: [first, second, third] as const }
}

type Instances = Awaited<ReturnType<typeof threeInstances>>

const refreshAtOnce = ({ instances }: Instances, token: string) =>
  Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => {
      const instance = instances[index % instances.length] ?? instances[0]
      return instance.refresh(token)
    }),
  )

test('of many parallel refreshes of one token, on three instances, one succeeds', async () => {
  const started = await threeInstances(ROTATING)
  const { refresh } = await started.logIn()
  const replies = await refreshAtOnce(started, refresh)
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  for (const reply of replies.filter((one) => one.status !== 200)) {
    expect(reply).toMatchReply(401, { detail: 'Token is blacklisted', code: 'token_not_valid' })
  }
})

test('within the grace they all get one and the same successor', async () => {
  const started = await threeInstances({ ...ROTATING, REFRESH_REUSE_GRACE: 10 })
  const { refresh } = await started.logIn()
  const replies = await refreshAtOnce(started, refresh)
  expect(replies.map((reply) => reply.status)).toEqual(Array(AT_ONCE).fill(200))
  const successors = new Set(replies.map((reply) => (reply.body as Pair).refresh))
  expect(successors.size).toBe(1)
  const [successor = ''] = successors
  expect((await started.refresh(successor)).status).toBe(200)
})

test('of many parallel logouts of one token exactly one succeeds', async () => {
  const { instances, logIn } = await threeInstances(ROTATING)
  const { refresh } = await logIn()
  const replies = await Promise.all(
    instances.flatMap(({ request }) =>
      Array.from({ length: 8 }, () => request.post('logout/', { refresh })),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status !== 401)).toHaveLength(1)
})

test('a login that ends while the host is asked gives out no pair', async () => {
  let meanwhile = async () => {}
  const claims = async () => {
    await meanwhile()
    return {}
  }
  const { logIn, refresh, request, db } = await startJwt(
    { SIMPLE_JWT: ROTATING },
    { hooks: { claims } },
  )
  const pair = await logIn()
  meanwhile = async () => {
    expect((await request.post('logout/', { refresh: pair.refresh })).status).toBe(200)
  }
  const refused = { detail: 'Token is blacklisted', code: 'token_not_valid' }
  expect(await refresh(pair.refresh)).toMatchReply(401, refused)
  expect(await db.selectFrom('spent_refresh_tokens').selectAll().execute()).toEqual([])
})
