import { createAuth } from 'latchkey'
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
      // After the registration has been committed.
      registered: ({ user }) => addNote(user.pk, `Welcome, ${user.username}!`),
    },
  },
)
