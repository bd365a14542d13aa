// better-auth as its documentation sets it up with SQLite: e-mail and password, sessions in the database.
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { listen, openDatabase, SECRET, sameHash } from './common.js'

const options = {
  database: openDatabase(),
  secret: SECRET,
  baseURL: 'http://127.0.0.1',
  basePath: '/auth',
  rateLimit: { enabled: false },
  emailAndPassword: {
    enabled: true,
    ...(sameHash && {
      password: {
        hash: sameHash.hash,
        verify: ({ hash, password }) => sameHash.verify(password, hash),
      },
    }),
  },
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
listen(createServer(toNodeHandler(betterAuth(options))))
