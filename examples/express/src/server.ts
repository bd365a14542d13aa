import express from 'express'
import type { AuthUser } from 'latchkey'
import { auth, port } from './auth.ts'
import { addNote, notesOf } from './notes.ts'

declare global {
  namespace Express {
    interface Request {
      user: AuthUser
    }
  }
}

const app = express()
app.use(express.json())

// It takes the place of AUTH_PREFIX: POST /members/login/. The pages are at /members/account/.
app.use('/members', auth.express)

app.get('/', (_request, response) => {
  response.send('Sign in at /members/account/, then see /notes.')
})

app.use('/notes', auth.requireUser)

app.get('/notes', ({ user }, response) => {
  response.json(notesOf(user.pk))
})

app.post('/notes', ({ user, body }, response) => {
  addNote(user.pk, String(body.text))
  response.status(201).json(notesOf(user.pk))
})

const server = app.listen(port, 'localhost', () => {
  console.log(`The notes are at http://localhost:${port}/`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => server.close(() => auth.close()))
}
