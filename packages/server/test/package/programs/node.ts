import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type Auth,
  type AuthOptions,
  createAuth,
  type Hooks,
  loadSettings,
  refuse,
  SettingsError,
} from 'latchkey'

const hooks: Hooks = {
  registering({ fields, address }) {
    if (!fields.email.endsWith('@example.com')) refuse({ email: ['Not one of ours.'] })
    if (address === '192.0.2.1') refuse('Not from there.')
  },
  async signingIn({ user, method }) {
    if (method === 'social' && !user.is_staff) refuse('Staff only.')
  },
  claims: (user) => ({ plan: user.fields.plan, groups: user.groups }),
}
const options: AuthOptions = { hooks, migrate: false, log: console, clock: { now: Date.now } }

export const auth: Auth = await createAuth({ REST_AUTH: { USE_JWT: true } }, options)
export const other = await createAuth(await loadSettings())

createServer(auth.express)
createServer((request, response) => auth.express(request, response, () => response.end()))
export const answer: Response = await auth.fetch(new Request('http://localhost/auth/login/'))
export const handler = { fetch: (request: Request) => auth.fetch(request, { address: '::1' }) }

// As Express declares its applications and requests.
interface ExpressRequest extends IncomingMessage {
  baseUrl: string
  body: unknown
}
type Next = (error?: unknown) => void
declare const app: {
  use(handler: (request: ExpressRequest, response: ServerResponse, next: Next) => unknown): void
  use(path: string, handler: (request: ExpressRequest, response: ServerResponse) => unknown): void
}
app.use(auth.express)
app.use('/members', auth.express)

export const mistakesIn = (error: unknown): readonly string[] =>
  error instanceof SettingsError ? error.mistakes : []

await auth.close()

// @ts-expect-error: settings are needed
createAuth()
// @ts-expect-error: settings of the group are not at the top level
createAuth({ USE_JWT: true })
// @ts-expect-error: no such option
createAuth({}, { hook: hooks })
// @ts-expect-error: no such hook
createAuth({}, { hooks: { registred: () => {} } })
// @ts-expect-error: hooks refuse by throwing, not by their answer
createAuth({}, { hooks: { signingIn: () => false } })
createAuth(
  {},
  {
    hooks: {
      signingIn({ user }) {
        // @ts-expect-error: hooks get a copy of the user
        user.is_staff = true
      },
    },
  },
)
// @ts-expect-error: several words for a field
refuse({ email: 'Not one of ours.' })
// @ts-expect-error: a request, not its address
auth.fetch('http://localhost/auth/login/')
// @ts-expect-error: a host does not reach inside
auth.services
// @ts-expect-error: read-only
other.express = auth.express
