import { expect, onTestFinished, test, vi } from 'vitest'
import { composeService } from '../../../src/compose-service.ts'
import type { AccountEvent } from '../../../src/core/hooks.ts'
import { buildApp } from '../../../src/server/build-app.ts'
import { signup } from '../../support/accounts.ts'
import { administrationOf } from '../../support/administration.ts'
import { countRows } from '../../support/dump.ts'
import { deliver, hooksFor } from '../../support/events.ts'
import { sharedNow, startAuth } from '../../support/start-auth.ts'

/** A second instance with the same database, whose worker runs as in production. */
async function startWorking(hear: (event: AccountEvent) => unknown) {
  const quiet = { ACCOUNT: { EMAIL_VERIFICATION: 'none' } } as const
  const { auth, settings, db } = await startAuth(quiet, sharedNow())
  const app = await buildApp(composeService(settings, { log: auth.log, hooks: hooksFor(hear) }))
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
  let letGo = () => {}
  const never = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { post, db } = await startWorking(() => {
    noteBegun()
    return never
  })
  // Only the end of the test lets go: the end of the service would wait for seconds.
  onTestFinished(() => letGo())
  expect((await post('registration/', signup('ada'))).statusCode).toBe(201)
  await begun
  const { username, password1: password } = signup('ada')
  expect((await post('login/', { username, password })).statusCode).toBe(200)
  expect((await post('registration/', signup('grace'))).statusCode).toBe(201)
  const waiting = await db.selectFrom('events').select('kind').execute()
  expect(waiting).toHaveLength(5)
})

test('what a command does is written down for the hooks of the host, if they listen to it', async () => {
  const quiet = await startAuth({}, sharedNow())
  const { settings, db } = quiet
  const { log } = quiet.auth
  const command = () => {
    const auth = composeService(settings, { log })
    onTestFinished(() => auth.close())
    return administrationOf(auth.services)
  }
  const account = { username: 'ada', email: '', password: null, verified: false, active: true }
  await command().create(account)
  expect(await countRows(db, 'events')).toBe(0)

  const told: AccountEvent[] = []
  const hooks = { deleted: (event: AccountEvent) => void told.push(event) }
  const host = composeService(settings, { log, hooks })
  onTestFinished(() => host.close())
  host.start()
  await vi.waitFor(async () => expect(await countRows(db, 'event_listeners')).toBe(1), 60_000)
  await command().setPassword(await quiet.findUser('ada'), 'Nn-5566-yy-lantern')
  expect(await countRows(db, 'events')).toBe(0)
  await command().remove(await quiet.findUser('ada'))
  await deliver({ auth: host })
  await vi.waitFor(() => expect(told).toMatchObject([{ type: 'deleted', by: 'operator' }]), 60_000)
})
