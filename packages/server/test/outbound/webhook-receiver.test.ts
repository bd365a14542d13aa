import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import { beforeEach, expect, test } from 'vitest'
import type { AccountEvent } from '../../src/core/hooks.ts'
import { webhookReceiver } from '../../src/features/events/receivers.ts'
import { EVENT_KINDS } from '../../src/kernel/event-kinds.ts'
import { SECRET, startWebhook } from '../support/webhooks.ts'

/** A name that is no name of loopback, and leads there all the same. */
const name = hostname().toLowerCase()
const addresses = await lookup(name, { all: true }).catch(() => [])
const leadsHere = addresses.some(({ address }) => address === '127.0.0.1')

beforeEach(({ skip }) => skip(!leadsHere, 'the name of this machine does not lead to 127.0.0.1.'))

const EVENT = { id: 'evt_1', type: 'deleted' } as AccountEvent

async function startNamed(allow_private_network: boolean) {
  const receiver = await startWebhook()
  const url = receiver.url.replace('127.0.0.1', name)
  const webhook = { url, events: EVENT_KINDS, secret: [SECRET], allow_private_network }
  return { receiver, ...webhookReceiver(webhook, 'the receiver', { now: () => 0 }) }
}

test('a name that leads into a private network is not called', async () => {
  const { receiver, tell } = await startNamed(false)
  await expect(tell(EVENT)).rejects.toThrow('The name leads into a private network.')
  expect(receiver.heard).toEqual([])
})

test('it is called if the setting allows it', async () => {
  const { receiver, tell } = await startNamed(true)
  expect(await tell(EVENT)).toEqual({ status: 'sent' })
  expect(receiver.told()).toEqual([EVENT])
})
