import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'oauth4webapi'
import type { OutboundRequest } from './request-json.ts'

const methods = {
  client_secret_basic: ClientSecretBasic,
  client_secret_post: ClientSecretPost,
  none: () => None(),
} satisfies Record<string, (secret: string) => ClientAuth>

export type ClientCredentials = {
  method: keyof typeof methods
  clientId: string
  secret: string
}

/** A form, posted in our own name. */
export async function authenticatedForm(
  url: string,
  form: Record<string, string>,
  { method, clientId, secret }: ClientCredentials,
): Promise<OutboundRequest> {
  const body = new URLSearchParams(form)
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  await methods[method](secret)({ issuer: '' }, { client_id: clientId }, body, headers)
  return { method: 'POST', url, headers: Object.fromEntries(headers), body: body.toString() }
}
