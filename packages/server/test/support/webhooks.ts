import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AtTheEnd } from './database-folder.ts'
import { type Handler, type Heard, startLoopbackServer } from './loopback-server.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const NEW_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`

const accept: Handler = (_, response) => void response.writeHead(204).end()

/** Another program that is told of events. What it answers can be changed while it runs. */
export async function startWebhook(handle: Handler = accept, atTheEnd?: AtTheEnd) {
  const manner = { handle }
  const server = await startLoopbackServer(
    (heard, response) => manner.handle(heard, response),
    atTheEnd,
  )
  const url = `${server.url}/hooks`
  return {
    ...server,
    url,
    /** The setting. */
    webhook: { url, secret: SECRET },
    does: (handle: Handler) => {
      manner.handle = handle
    },
    answers: (status: number, headers: Record<string, string> = {}) => {
      manner.handle = (_, response) => void response.writeHead(status, headers).end()
    },
    /** What the messages say. */
    told: () => server.heard.map(({ body }) => JSON.parse(body)),
  }
}

/**
 * Verifies a message as a receiver does, by the words of Standard Webhooks: one of the signatures is
 * the base64 of the HMAC of id, timestamp and body.
 */
export function isSigned({ headers, body }: Heard, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const right = createHmac('sha256', key).update(signed, 'utf8').digest()
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((one) => {
    const [version, base64 = ''] = one.split(',')
    const bytes = Buffer.from(base64, 'base64')
    return version === 'v1' && bytes.length === right.length && timingSafeEqual(bytes, right)
  })
}
