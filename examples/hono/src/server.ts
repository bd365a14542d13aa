import { type HttpBindings, serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AuthUser } from 'latchkey'
import { auth, port } from './auth.ts'
import { addNote, notesOf } from './notes.ts'

type Env = { Bindings: HttpBindings; Variables: { user: AuthUser } }

const app = new Hono<Env>()

/** Limits count each client, so the service has to know which address asks. */
const answer = ({ req, env }: Context<Env>) =>
  auth.fetch(req.raw, { address: env.incoming.socket.remoteAddress })

app.all('/api/auth/*', answer)
app.all('/account/*', answer)

const requireUser = createMiddleware<Env>(async (context, next) => {
  // Throws if nobody is logged in. Hono gives the answer that the error has.
  context.set('user', await auth.requireUser(context.req.raw))
  return next()
})

app.get('/', (context) => context.text('Sign in at /account/, then see /notes.'))

app.use('/notes', requireUser)

app.get('/notes', (context) => context.json(notesOf(context.var.user.pk)))

app.post('/notes', async (context) => {
  const { text } = await context.req.json()
  addNote(context.var.user.pk, String(text))
  return context.json(notesOf(context.var.user.pk), 201)
})

const server = serve({ fetch: app.fetch, hostname: 'localhost', port }, () => {
  console.log(`The notes are at http://localhost:${port}/`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => server.close(() => auth.close()))
}
