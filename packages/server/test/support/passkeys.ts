import {
  type Authenticator,
  type CreationOptions,
  createAuthenticator,
  type Lies,
  type RequestOptions,
} from './authenticator.ts'
import type { CallOptions, Client, Reply } from './client.ts'

/** The ceremonies as a front end runs them. */

export async function beginRegistration(client: Client, token: string): Promise<CreationOptions> {
  const reply = await client.post('passkeys/register/begin/', {}, { token })
  return reply.body as CreationOptions
}

export async function register(
  client: Client,
  token: string,
  authenticator: Authenticator,
  lies: Lies = {},
): Promise<Reply> {
  const options = await beginRegistration(client, token)
  const credential = authenticator.create(options, lies)
  return client.post('passkeys/register/complete/', { credential }, { token })
}

/** A new authenticator with a registered passkey. */
export async function registered(
  client: Client,
  token: string,
  ...options: Parameters<typeof createAuthenticator>
): Promise<Authenticator> {
  const authenticator = createAuthenticator(...options)
  const reply = await register(client, token, authenticator)
  if (reply.status !== 201) throw new Error(`Not registered: ${JSON.stringify(reply.body)}`)
  return authenticator
}

export async function beginLogin(client: Client, name: object = {}): Promise<RequestOptions> {
  return (await client.post('passkeys/login/begin/', name)).body as RequestOptions
}

export async function logIn(
  client: Client,
  authenticator: Authenticator,
  { name = {}, lies = {}, call = {} }: { name?: object; lies?: Lies; call?: CallOptions } = {},
): Promise<Reply> {
  const options = await beginLogin(client, name)
  const credential = authenticator.get(options, lies)
  const { session_id } = options
  return client.post('passkeys/login/complete/', { credential, session_id }, call)
}
