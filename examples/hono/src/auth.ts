import { createAuth } from 'latchkey'
import { addNote } from './notes.ts'

export const port = Number(process.env.PORT ?? 3000)

export const auth = await createAuth(
  {
    DATABASE_URL: 'sqlite:data/accounts.db',
    PUBLIC_URL: `http://localhost:${port}`,
    AUTH_PREFIX: '/api/auth/',
    SITE_NAME: 'Notes',
    // Logins give JSON Web Tokens, which other services can check, too.
    REST_AUTH: { USE_JWT: true },
  },
  {
    hooks: {
      // In every access token.
      claims: ({ email }) => ({ plan: email.endsWith('@example.com') ? 'team' : 'free' }),
      // After the registration has been committed.
      registered: ({ user }) => addNote(user.pk, `Welcome, ${user.username}!`),
    },
  },
)
