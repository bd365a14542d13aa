import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type ClientMetadata } from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** A real, certified OpenID provider on this machine, with one user who is logged in. */
export async function startOpenIdProvider(clients: ClientMetadata[]) {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const claims = { email: 'ada@example.com', email_verified: true, preferred_username: 'ada' }
  const provider = new Provider(url, {
    clients,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    features: { introspection: { enabled: true }, devInteractions: { enabled: true } },
    pkce: { required: () => true },
    ttl: { AccessToken: 3600, IdToken: 3600, Grant: 3600, Interaction: 3600, Session: 3600 },
    responseTypes: ['code', 'id_token'],
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claims }),
    }),
  })
  server.on('request', provider.callback())
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url, visit: (query: Record<string, string>) => visit(`${url}/auth`, query) }
}

/** Acts like a browser whose user agrees to everything. Returns the URL of the final redirect. */
async function visit(url: string, query: Record<string, string>): Promise<URL> {
  const cookies = new Map<string, string>()
  let address = `${url}?${new URLSearchParams(query)}`
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 20; steps++) {
    const response: Response = await fetch(address, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location) {
      address = new URL(location, address).href
      if (!address.startsWith(new URL(url).origin)) return new URL(address)
      form = undefined
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (!prompt) throw new Error(`The provider shows something else: ${page.slice(0, 500)}`)
      address = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', address).href
      form = new URLSearchParams({ prompt, login: 'ada-at-the-provider', password: 'any' })
    }
  }
  throw new Error('The provider goes in circles.')
}
