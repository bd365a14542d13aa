import { expect, test } from 'vitest'
import { composeService } from '../../../src/compose-service.ts'
import { buildApp } from '../../../src/server/build-app.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { sharedNow, startAuth } from '../../support/start-auth.ts'

/** A second instance with the same database, whose worker runs as in production. */
async function startWorking(manner: Parameters<typeof startSmtpSink>[0]) {
  const { arrival, close, url } = await startSmtpSink(manner)
  const first = await startAuth({ EMAIL_URL: url }, sharedNow())
  await first.createUser({ username: 'ada', email: 'ada@example.com' })
  const app = await buildApp(composeService(first.settings, { log: first.auth.log }))
  await app.ready()
  const askForReset = () =>
    app.inject({
      method: 'POST',
      url: '/auth/password/reset/',
      payload: { email: 'ada@example.com' },
    })
  return { arrival, close, app, first, askForReset }
}

test('a mail leaves as soon as it is committed', async () => {
  const { arrival, app, askForReset, first } = await startWorking('accepts')
  await askForReset()
  await arrival
  // The mail that is being sent is finished first.
  await app.close()
  const { state } = await first.db.selectFrom('outbox').select('state').executeTakeFirstOrThrow()
  expect(state).toBe('sent')
})

test('while the server hangs answers do not wait', async () => {
  const { arrival, close, app, askForReset } = await startWorking('hangs')
  await askForReset()
  await arrival
  expect((await askForReset()).statusCode).toBe(200)
  await close()
  await app.close()
})
