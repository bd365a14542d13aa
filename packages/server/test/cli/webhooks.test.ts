import { expect, test } from 'vitest'
import { SECRET, startWebhook } from '../support/webhooks.ts'
import { newCli } from './support/cli.ts'

const ORIGIN = 'https://app.example.com'
const URL = `${ORIGIN}/services/T00/hidden-key`

/** An operator has created Ada, and a webhook was not told yet. */
async function newCliWithEvent(url = URL) {
  const cli = await newCli()
  const env = { WEBHOOKS: JSON.stringify([{ url: `${url}?code=hidden`, secret: SECRET }]) }
  const run = (...args: string[]) => cli.run(args, { env })
  const options = ['--username', 'ada', '--password-stdin']
  await cli.run(['user', 'create', ...options], { env, input: 'a-good-password\n' })
  const bury = () =>
    cli.inDatabase(async ({ db }) => {
      await db.updateTable('events').set({ state: 'dead', attempts: 11 }).execute()
      await db.deleteFrom('event_lines').execute()
    })
  return { ...cli, env, run, runWithout: cli.run, bury }
}

test('events that were given up are listed, and delivered again when asked for', async () => {
  const { run, bury, inDatabase } = await newCliWithEvent()
  await bury()
  const listed = await run('webhooks', 'list', '--json')
  const [event] = JSON.parse(listed.stdout)
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    state: 'dead',
    type: 'registered',
    receiver: ORIGIN,
    tries: 11,
    happened: expect.stringMatching(/Z$/),
    next_try: null,
  })
  for (const args of [['webhooks', 'list'], ['settings'], ['check', '--deploy']]) {
    const { stdout, stderr } = await run(...args)
    expect(`${stdout}${stderr}`, args.join(' ')).not.toContain('hidden')
  }
  expect((await run('webhooks', 'list')).stdout).toMatch(
    /^ID .*\nevt_\w+ +dead +registered +https:\/\/app/,
  )
  const retried = await run('webhooks', 'retry', event.id)
  expect(retried.stdout).toBe('The service delivers 1 event now.\n')
  await inDatabase(async ({ db }) => {
    const rows = await db.selectFrom('events').select(['state', 'attempts']).execute()
    expect(rows).toEqual([{ state: 'queued', attempts: 0 }])
    expect(await db.selectFrom('event_lines').selectAll().execute()).toHaveLength(1)
    const audited = await db
      .selectFrom('audit_events')
      .select(['event', 'operator_kind'])
      .orderBy('id')
      .execute()
    expect(audited.at(-1)).toEqual({ event: 'events_retried', operator_kind: 'cli' })
  })
})

test('an event that is not there cannot be delivered', async () => {
  const { run } = await newCliWithEvent()
  expect(await run('webhooks', 'retry', 'evt_nope')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no undelivered event "evt_nope".\n',
  })
  expect((await run('webhooks', 'retry', 'all')).stdout).toBe('The service delivers 1 event now.\n')
})

test('what a command does is told by the service that runs', async () => {
  const receiver = await startWebhook()
  const { serve, env } = await newCliWithEvent(receiver.url)
  const told = new Promise<void>((resolve) => {
    receiver.does((_, response) => {
      response.writeHead(204).end()
      resolve()
    })
  })
  await serve([], { env })
  await told
  expect(receiver.told()).toMatchObject([{ type: 'registered', method: 'operator' }])
})

test('without its setting an event has no receiver', async () => {
  const { runWithout } = await newCliWithEvent()
  const [event] = JSON.parse((await runWithout(['webhooks', 'list', '--json'])).stdout)
  expect(event).toMatchObject({ receiver: null, state: 'queued' })
})
