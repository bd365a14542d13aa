import { expect, onTestFinished, test } from 'vitest'
import type { AccountEvent } from '../../../src/core/events.ts'
import { createAuth } from '../../../src/create-auth.ts'
import { buildApp } from '../../../src/server/build-app.ts'
import { signup } from '../../support/accounts.ts'
import { hooksFor } from '../../support/events.ts'
import { startAuth } from '../../support/start-auth.ts'

/** A second instance with the same database, whose worker runs as in production. */
async function startWorking(hear: (event: AccountEvent) => unknown) {
  const quiet = { ACCOUNT: { EMAIL_VERIFICATION: 'none' } } as const
  const { auth, settings, db } = await startAuth(quiet, { shared: true })
  const app = await buildApp(createAuth(settings, { log: auth.log, hooks: hooksFor(hear) }))
  await app.ready()
  onTestFinished(() => app.close())
  const post = (path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/auth/${path}`, payload })
  return { db, post, app }
}

test('a hook is told as soon as the change is committed', async () => {
  const told = new Promise<AccountEvent>((resolve) => {
    startWorking(resolve).then(({ post }) => post('registration/', signup('ada')))
  })
  expect(await told).toMatchObject({ type: 'registered', user: { username: 'ada' } })
})

test('a hook that never ends delays no answer', async () => {
  let noteBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    noteBegun = resolve
  })
  const { post, db } = await startWorking(() => {
    noteBegun()
    return new Promise(() => {})
  })
  expect((await post('registration/', signup('ada'))).statusCode).toBe(201)
  await begun
  const { username, password1: password } = signup('ada')
  expect((await post('login/', { username, password })).statusCode).toBe(200)
  expect((await post('registration/', signup('grace'))).statusCode).toBe(201)
  const waiting = await db.selectFrom('events').select('kind').execute()
  expect(waiting).toHaveLength(5)
})
