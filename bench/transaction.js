// What `transaction()` itself costs: an empty one, and one that locks a user and adds a row. SQLite
// in memory, so that no disk is measured. It runs the sources: `node bench/transaction.js`.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { median, quantile } from './service.js'

const ROUNDS = Number(process.env.ROUNDS ?? 30)
const TRANSACTIONS = 1000

const src = fileURLToPath(new URL('../packages/server/src', import.meta.url))
const ENTRY = `
  export { resolveSettings } from '${src}/settings/resolve.ts'
  export { connect } from '${src}/storage/connect.ts'
  export { migrate } from '${src}/storage/migrate.ts'
  export { migrations } from '${src}/storage/migrations/all.ts'
  export { transaction } from '${src}/storage/transaction.ts'
  export { lockUser } from '${src}/features/users/users-queries.ts'
  export { addLogin } from '${src}/features/sessions/logins-queries.ts'
`

const folder = await mkdtemp(join(tmpdir(), 'latchkey-transaction-'))
try {
  const storage = await load()
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
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function load() {
  const entry = join(folder, 'entry.js')
  // Packages are looked for beside the bundle.
  await symlink(
    fileURLToPath(new URL('../node_modules', import.meta.url)),
    `${folder}/node_modules`,
  )
  await build({
    input: 'entry',
    platform: 'node',
    external: /^[^./]/,
    plugins: [{ name: 'entry', resolveId: own, load: (id) => (id === 'entry' ? ENTRY : null) }],
    output: { file: entry, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  return import(pathToFileURL(entry).href)
}

function own(id) {
  return id === 'entry' || id.startsWith(src) ? { id, external: false } : null
}

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
