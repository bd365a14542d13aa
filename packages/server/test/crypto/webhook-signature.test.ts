import { expect, test } from 'vitest'
import { signWebhook } from '../../src/crypto/webhook-signature.ts'

/** The reference vector of Standard Webhooks. */
const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
}
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

test('the reference message has the reference signature', () => {
  expect(signWebhook(MESSAGE, [KEY])).toBe(SIGNATURE)
})

test('every part of the message, and the key, counts', () => {
  const others = [
    { ...MESSAGE, id: 'msg_other' },
    { ...MESSAGE, timestamp: MESSAGE.timestamp + 1 },
    { ...MESSAGE, body: '{"test":2432232314}' },
  ]
  for (const other of others) expect(signWebhook(other, [KEY])).not.toBe(SIGNATURE)
  expect(signWebhook(MESSAGE, [Buffer.alloc(24)])).not.toBe(SIGNATURE)
})

test('several keys give several signatures, in their order', () => {
  const other = Buffer.alloc(24, 1)
  const signatures = signWebhook(MESSAGE, [other, KEY]).split(' ')
  expect(signatures).toEqual([signWebhook(MESSAGE, [other]), SIGNATURE])
})
