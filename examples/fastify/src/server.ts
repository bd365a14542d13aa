import Fastify from 'fastify'
import type { AuthUser } from 'latchkey'
import { auth, port } from './auth.ts'
import { addNote, notesOf } from './notes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    user: AuthUser
  }
}

const app = Fastify({ logger: true })

// It takes the place of AUTH_PREFIX: POST /members/login/. The pages are at /account/.
await app.register(auth.fastify, { prefix: '/members' })

app.get('/', async () => 'Sign in at /account/, then see /notes.')

await app.register(
  async (notes) => {
    notes.addHook('onRequest', auth.requireUser)
    notes.get('/', async ({ user }) => notesOf(user.pk))
    notes.post<{ Body: { text: string } }>('/', async ({ user, body }, reply) => {
      addNote(user.pk, body.text)
      return reply.status(201).send(notesOf(user.pk))
    })
  },
  { prefix: '/notes' },
)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())

await app.listen({ host: 'localhost', port })
