import express from 'express'
import { type AuthUser, createAuth } from 'latchkey'

declare global {
  namespace Express {
    interface Request {
      user: AuthUser | null
    }
  }
}

const auth = await createAuth({ DATABASE_URL: 'sqlite::memory:' })
const app = express()
const router = express.Router()

app.use(auth.express)
app.use('/members', auth.express)
app.use(auth.withUser)
app.use(express.json(), auth.requireUser)
app.get('/mine', auth.requireUser, (req, res) => {
  res.json(req.user?.pk)
  // @ts-expect-error: the type does not say that somebody is signed in
  res.json(req.user.pk)
})
router.delete(
  '/:id',
  [auth.requireUser, auth.requireFresh],
  (req: express.Request<{ id: string }>) => {
    const id: string = req.params.id
    return auth.identify(req).then((user) => [id, user?.login.via])
  },
)

// @ts-expect-error: middleware, not made by a call
app.use(auth.requireUser())
// @ts-expect-error: the answer of Express is needed, too
app.use((req, _res, next) => auth.requireUser(req, next))
