import type { OutboundRequest } from './request.ts'

export type ClientCredentials = {
  method: 'client_secret_basic' | 'client_secret_post' | 'none'
  clientId: string
  secret: string
}

/** A form that is posted with our client credentials (RFC 6749, 2.3.1). */
export function authenticatedForm(
  url: string,
  form: Record<string, string>,
  { method, clientId, secret }: ClientCredentials,
): OutboundRequest {
  const inBody = {
    client_secret_basic: {},
    client_secret_post: { client_id: clientId, client_secret: secret },
    none: { client_id: clientId },
  }
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'client_secret_basic' && { authorization: basic(clientId, secret) }),
    },
    body: new URLSearchParams({ ...form, ...inBody[method] }).toString(),
  }
}

/**
 * Encodes both parts, as the standard demands, but only the characters that need it. Servers that
 * forget to decode then still understand ordinary ids and secrets.
 */
export function basic(clientId: string, secret: string): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
