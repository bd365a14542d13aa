import Fastify from 'fastify'
import { createAuth } from 'latchkey'

const app = Fastify()
const auth = await createAuth({ DATABASE_URL: 'sqlite::memory:' }, { log: app.log })

await app.register(auth.fastify)
await app.register(auth.fastify, { prefix: '/members' })
app.register(async (inner) => inner.register(auth.fastify, { prefix: '/auth' }), { prefix: '/api' })

app.addHook('onRequest', auth.withUser)
app.get('/mine', { onRequest: auth.requireUser }, async (request) => auth.identify(request))
app.get('/danger', { preHandler: [auth.requireFresh] }, () => 'fresh')

// @ts-expect-error: the prefix is a path
await app.register(auth.fastify, { prefix: 5 })
// @ts-expect-error: the whole service is no plugin
await app.register(auth)
