import { createHmac } from 'node:crypto'

type Message = { id: string; timestamp: number; body: string }

/**
 * The signature of Standard Webhooks. Each key adds one, and the receiver accepts the message if
 * any of them is valid.
 */
export const signWebhook = ({ id, timestamp, body }: Message, keys: readonly Buffer[]): string =>
  keys
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')
