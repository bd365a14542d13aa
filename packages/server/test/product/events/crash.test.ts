import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { newDatabase } from '../../support/new-database.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'
import { startWebhook } from '../../support/webhooks.ts'

const HOST = fileURLToPath(new URL('../../support/host-with-hooks.js', import.meta.url))

type Host = { settings: object; manner: 'dies' | 'holds' | 'tells'; env?: Record<string, string> }

/** A real process with the service inside, and the lines that it prints. */
function startHost({ settings, manner, env = {} }: Host) {
  const child = spawn(process.execPath, [HOST], {
    env: { PATH: process.env.PATH, SETTINGS: JSON.stringify(settings), MANNER: manner, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    ended,
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
    /** The next so many lines. */
    async print(count: number): Promise<string[]> {
      const printed: string[] = []
      while (printed.length < count) {
        const { value, done } = await lines.next()
        if (done) throw new Error('The program has ended.')
        printed.push(value)
      }
      return printed
    },
  }
}

const settingsOf = async (more: object = {}) => ({
  DATABASE_URL: await newDatabase(true),
  SECRET_KEY,
  LOG_LEVEL: 'silent',
  ACCOUNT: { EMAIL_VERIFICATION: 'none' },
  ...more,
})

const REGISTERED = /^registered ada evt_[0-9a-f]{32}$/
const SIGNED_IN = /^signedIn ada evt_[0-9a-f]{32}$/

test('a process that is killed between commit and hook loses nothing', async () => {
  const settings = await settingsOf()
  const dying = startHost({ settings, manner: 'dies', env: { USERNAME: 'ada' } })
  expect(await dying.print(1)).toEqual(['answered 201'])
  expect(await dying.ended).toEqual([null, 'SIGKILL'])

  const next = startHost({ settings, manner: 'tells' })
  const [first, second] = await next.print(2)
  expect(first).toMatch(REGISTERED)
  expect(second).toMatch(SIGNED_IN)
})

test('a process that is killed within a hook is followed by one that tells it again', async () => {
  const settings = await settingsOf()
  const holding = startHost({ settings, manner: 'holds', env: { USERNAME: 'ada' } })
  // The hook may begin before the answer. It never ends, and yet there is an answer.
  const [answer, begun] = (await holding.print(2)).sort()
  expect(answer).toBe('answered 201')
  expect(begun).toMatch(REGISTERED)
  await holding.kill()

  const env = { LATER: String(MINUTE) }
  const [first, second] = await startHost({ settings, manner: 'tells', env }).print(2)
  expect(first).toBe(begun)
  expect(second).toMatch(SIGNED_IN)
})

test('a process that is killed within a webhook is followed by one that calls it again', async () => {
  let noteArrival = () => {}
  const arrival = new Promise<void>((resolve) => {
    noteArrival = resolve
  })
  const receiver = await startWebhook(() => noteArrival())
  const webhook = { ...receiver.webhook, events: ['registered'] }
  const settings = await settingsOf({ WEBHOOKS: [webhook] })
  const calling = startHost({ settings, manner: 'tells', env: { USERNAME: 'ada' } })
  await arrival
  await calling.kill()

  const again = new Promise<void>((resolve) => {
    receiver.does((_, response) => {
      response.writeHead(204).end()
      resolve()
    })
  })
  startHost({ settings, manner: 'tells', env: { LATER: String(MINUTE) } })
  await again
  const ids = receiver.heard.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([ids[0], ids[0]])
})
