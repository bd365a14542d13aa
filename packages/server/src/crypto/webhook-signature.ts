import { createHmac } from 'node:crypto'

type Message = { id: string; timestamp: number; body: string }

/**
 * The signature of Standard Webhooks. With several keys there are several signatures, and the
 * receiver accepts the message if one of them is good.
 */
export const signWebhook = ({ id, timestamp, body }: Message, keys: readonly Buffer[]): string =>
  keys
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')
