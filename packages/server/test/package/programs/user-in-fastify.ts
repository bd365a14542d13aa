import Fastify from 'fastify'
import { type AuthUser, createAuth } from 'latchkey'

declare module 'fastify' {
  interface FastifyRequest {
    user: AuthUser | null
  }
}

const auth = await createAuth({ DATABASE_URL: 'sqlite::memory:' })
const app = Fastify()
await app.register(auth.fastify)

app.addHook('onRequest', auth.withUser)
app.addHook('preHandler', auth.requireFresh)
app.get('/mine', { onRequest: auth.requireUser }, async ({ user }) => user?.login.claims)
app.get<{ Params: { id: string } }>('/:id', { preHandler: [auth.requireUser] }, async (request) => {
  // @ts-expect-error: the type does not say that somebody is signed in
  request.user.pk
  // @ts-expect-error: it is a copy
  if (request.user) request.user.is_staff = true
  return [request.params.id, request.user?.fields.team, await auth.identify(request)]
})

// @ts-expect-error: a hook, not a plugin
app.register(auth.requireUser)
