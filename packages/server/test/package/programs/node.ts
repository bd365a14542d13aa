import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type AccountEvent,
  type Auth,
  type AuthOptions,
  type AuthUser,
  createAuth,
  type Hooks,
  loadSettings,
  type MailSender,
  type PasswordRule,
  RequestRefused,
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
  registered: async ({ user, method }) => note(`${user.username} by ${method}`),
  deleted: ({ id, by }) => note(`${id} by ${by}`),
  signedIn: (event: AccountEvent) => note(event.type),
}
const note = (text: string) => process.stdout.write(text)
const mail: MailSender = { send: async ({ to, subject }) => note(`${to} ${subject}`) }
const passwordRules: PasswordRule = (password, { username }) =>
  password.includes(username) ? ['Your name is in it.'] : []
const options: AuthOptions = {
  ...{ hooks, mail, passwordRules, usernameRules: () => null },
  ...{ migrate: false, log: console, clock: { now: Date.now } },
}

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
app.use(auth.withUser)
app.use(auth.requireUser)
app.use(auth.requireFresh)
app.use(async (request) => (await auth.identify(request))?.login.via)

const user: AuthUser | null = await auth.identify(new Request('http://localhost/mine'))
export const name: string | undefined = user?.username
export const caller: AuthUser = await auth.requireUser(new Request('http://localhost'))

export const answerTo = (error: unknown): Response | null =>
  error instanceof RequestRefused ? error.getResponse() : null

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
// @ts-expect-error: a mail transport is an object with send
createAuth({}, { mail: () => {} })
// @ts-expect-error: rules answer with words
createAuth({}, { usernameRules: () => 'Too short.' })
// @ts-expect-error: nobody knows how an account is deleted by its method
createAuth({}, { hooks: { deleted: ({ method }) => method } })
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
// @ts-expect-error: a request, not a header of it
auth.identify('Bearer token')
// @ts-expect-error: a middleware without an answer to write to
auth.requireUser({ headers: {}, socket: {} })
// @ts-expect-error: perhaps nobody is asking
user.username
// @ts-expect-error: a host does not reach inside
auth.services
// @ts-expect-error: read-only
other.express = auth.express
