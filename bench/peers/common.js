// What all peers share: where they keep their data, the hash that all of them can use, and how they listen.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import Database from 'better-sqlite3'

const { DATABASE = '', HASH = 'own' } = process.env

/** The same promise as Latchkey's: an answer survives a power cut. */
export function openDatabase() {
  const database = new Database(DATABASE)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return database
}

/** Latchkey's hash, argon2id with OWASP's cost. Null if the peer is to use its own. */
export const sameHash =
  HASH === 'own'
    ? null
    : {
        hash: (password) =>
          hash(password, {
            memoryCost: 19_456,
            timeCost: 2,
            parallelism: 1,
            salt: randomBytes(16),
          }),
        verify: (password, encoded) => verify(encoded, password),
      }

export const SECRET = 'a key that only the benchmark ever uses'

/** Prints the address that the benchmark waits for. */
export function listen(server) {
  const listening = server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${listening.address().port}/auth/\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
