import { createAuth, refuse } from 'latchkey'
import { addNote } from './notes.ts'

export const port = Number(process.env.PORT ?? 3000)

export const auth = await createAuth(
  {
    DATABASE_URL: 'sqlite:data/accounts.db',
    PUBLIC_URL: `http://localhost:${port}`,
    SITE_NAME: 'Notes',
  },
  {
    hooks: {
      // Before anything is written.
      registering({ fields }) {
        if (!fields.email.endsWith('@example.com')) {
          refuse({ email: ['Only addresses of example.com can register here.'] })
        }
      },
      // After the registration has been committed.
      registered: ({ user }) => addNote(user.pk, `Welcome, ${user.username}!`),
    },
  },
)
