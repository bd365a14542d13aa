// What `transaction()` itself costs: an empty one, and one that locks a user and adds a row. SQLite
// in memory, so that no disk is measured. It runs the sources: `node bench/transaction.js`.
import { fromSources } from '../scripts/from-sources.js'
import { median, quantile } from './lib/numbers.js'

const ROUNDS = Number(process.env.ROUNDS ?? 30)
const TRANSACTIONS = 1000

const storage = await fromSources({
  'settings/resolve.ts': 'resolveSettings',
  'storage/connect.ts': 'connect',
  'storage/migrate.ts': 'migrate',
  'storage/migrations/all.ts': 'migrations',
  'storage/transaction.ts': 'transaction',
  'features/users/users-queries.ts': 'lockUser',
  'features/sessions/logins-queries.ts': 'addLogin',
})
const { db } = storage.connect(storage.resolveSettings({ DATABASE_URL: 'sqlite::memory:' }))
await storage.migrate({ db, patientDb: db, engine: 'sqlite' }, storage.migrations, 0)
const user = { username: 'ada', username_key: 'ada', email: '', first_name: '', last_name: '' }
const rest = { email_verified: 0, password: '!', is_active: 1, joined_at: 0 }
await db
  .insertInto('users')
  .values({ ...user, ...rest })
  .execute()

const { transaction, lockUser, addLogin } = storage
const login = { user_id: 1, method: 'password', session_digest: null }
await measure('empty', () => transaction(db, async () => {}))
await measure('lock user, add login', () =>
  transaction(db, async (tx) => {
    await lockUser(tx, 1)
    await addLogin(tx, { ...login, created_at: 0, expires_at: 1 })
  }),
)

async function measure(name, run) {
  const rounds = []
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let n = 0; n < TRANSACTIONS; n++) await run()
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / TRANSACTIONS)
  }
  // The first half is run before it is compiled.
  const warm = rounds.slice(ROUNDS)
  const [low, high] = [0.25, 0.75].map((share) => quantile(warm, share).toFixed(1))
  process.stdout.write(
    `${name.padEnd(24)}${median(warm).toFixed(1)} µs of CPU (${low}–${high}), ${ROUNDS} rounds\n`,
  )
}
