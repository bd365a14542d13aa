import { fromSources } from '../../scripts/from-sources.js'
import { loadForServer } from './packages.js'
import { digest, keyOf, passwordHash, SECRET_KEY, sessionOf, spentKeyOf } from './people.js'

/** Rows of one statement. SQLite takes at most 32,766 values. */
const BATCH = 2000
const BATCHES_PER_COMMIT = 10
const DAY = 86_400_000

/**
 * Adds the users `from` to `to`, each with a token, a login, an event of the audit and a spent refresh
 * token, straight into the tables. The memory that this takes does not depend on how many there are.
 */
export async function fillDatabase(
  url,
  { from = 1, to, secret = SECRET_KEY, cheapHashes = false, onProgress = () => {} },
) {
  const database = url.startsWith('postgres') ? await openPostgres(url) : openSqlite(url)
  const tables = await tablesFor({ secret, hash: await passwordHash({ cheap: cheapHashes }) })
  try {
    if (from === 1) await database.dropIndexes()
    for (let first = from; first <= to; first += BATCH * BATCHES_PER_COMMIT) {
      const last = Math.min(to, first + BATCH * BATCHES_PER_COMMIT - 1)
      await database.inOneCommit(async () => {
        let sent
        for (let n = first; n <= last; n += BATCH) {
          const count = Math.min(BATCH, last - n + 1)
          const numbers = Array.from({ length: count }, (_, index) => n + index)
          for (const table of tables) {
            const rows = numbers.map(table.given)
            // Only now, so that the database works while the next rows are computed.
            await sent
            sent = database.insert(table, rows)
          }
        }
        await sent
      })
      onProgress(last)
    }
    await database.finish()
  } finally {
    await database.close()
  }
}

/** For each table the values that are computed here, and the columns as SQL over these values. */
async function tablesFor({ secret, hash }) {
  const { createSealedBox } = await fromSources({ 'crypto/sealed-box.ts': 'createSealedBox' })
  const box = createSealedBox(secret, [])
  const now = Date.now()
  // Later than any request of a measurement. Otherwise the first request of each user would note its
  // time, and the more users there are, the more first requests.
  const used = { created_at: now, last_used_at: now + DAY, authenticated_at: now }
  return [
    {
      table: 'users',
      given: (n) => [n],
      columns: {
        id: 'n',
        username: `'user' || n`,
        username_key: `'user' || n`,
        email: `'user' || n || '@example.com'`,
        email_key: `'user' || n || '@example.com'`,
        email_verified: 1,
        first_name: `'First'`,
        last_name: `'Last'`,
        password: `'${hash}'`,
        is_active: 1,
        joined_at: `${now} - (n % 365) * ${DAY}`,
        last_login_at: now,
      },
    },
    {
      table: 'tokens',
      given: (n) => [n, digest(keyOf(n)), box.seal(keyOf(n), `token:${n}`)],
      columns: { user_id: 'n', digest: 'a', sealed_key: 'b', ...used },
    },
    {
      table: 'logins',
      given: (n) => [n, digest(sessionOf(n))],
      columns: {
        id: 'n',
        user_id: 'n',
        method: `'password'`,
        session_digest: 'a',
        expires_at: now + 30 * DAY,
        address: `'192.0.2.' || (n % 256)`,
        user_agent: `'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'`,
        ...used,
      },
    },
    {
      table: 'audit_events',
      given: (n) => [n],
      columns: {
        user_id: 'n',
        at: `${now} - (n % 364) * ${DAY}`,
        event: `'password_changed'`,
        details: `'{}'`,
      },
    },
    {
      table: 'spent_refresh_tokens',
      given: (n) => [n, spentKeyOf(now + (1 + (n % 30)) * DAY, digest(`spent ${n}`))],
      columns: {
        key: 'a',
        login_id: 'n',
        spent_at: now,
        expires_at: `${now} + (1 + n % 30) * ${DAY}`,
      },
    },
  ]
}

const NAMES = ['n', 'a', 'b']

const insertion = ({ table, columns }, source) =>
  `insert into ${table} (${Object.keys(columns)}) select ${Object.values(columns)} ${source}`

function openSqlite(url) {
  const Database = loadForServer('libsql')
  const db = new Database(url.replace('sqlite:', ''))
  // The rows refer only to each other, and a database that was only half filled is thrown away.
  for (const pragma of ['foreign_keys = off', 'synchronous = off', 'cache_size = -262144']) {
    db.exec(`pragma ${pragma}`)
  }
  const statements = new Map()
  return {
    async insert(table, rows) {
      const width = rows[0].length
      const key = `${table.table} ${rows.length}`
      if (!statements.has(key)) {
        const places = Array.from({ length: rows.length }, () => `(${Array(width).fill('?')})`)
        const names = NAMES.slice(0, width)
        // The driver passes every number as a floating-point one.
        const exact = ['cast(n as integer) as n', ...names.slice(1)]
        const source = `from (with given(${names}) as (values ${places}) select ${exact} from given)`
        statements.set(key, db.prepare(insertion(table, source)))
      }
      statements.get(key).run(rows.flat())
    },
    async inOneCommit(work) {
      db.exec('begin immediate')
      await work()
      db.exec('commit')
    },
    async dropIndexes() {},
    finish: async () => void db.exec('pragma wal_checkpoint(truncate)'),
    close: async () => void db.close(),
  }
}

async function openPostgres(url) {
  const { Client } = loadForServer('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  // Skips the check of foreign keys. Only a superuser may; without it the work takes longer.
  await client.query(`set session_replication_role = replica`).catch(() => {})
  await client.query(`set maintenance_work_mem = '1GB'`)
  let dropped = []
  return {
    /** Until the end: to sort ten million entries once is far quicker than to insert each in its place. */
    async dropIndexes() {
      const { rows } = await client.query(
        `select indexname as name, indexdef as definition from pg_indexes
        where schemaname = current_schema()
        and indexname not in (select conname from pg_constraint where conindid <> 0)`,
      )
      for (const { name } of rows) await client.query(`drop index "${name}"`)
      dropped = rows
    },
    async insert(table, rows) {
      const types = ['bigint', 'text', 'text'].slice(0, rows[0].length)
      const lists = types.map((type, index) => `$${index + 1}::${type}[]`)
      const names = NAMES.slice(0, types.length)
      const text = insertion(table, `from unnest(${lists}) as given(${names})`)
      const values = types.map((_, index) => rows.map((row) => row[index]))
      await client.query({ name: table.table, text, values })
    },
    async inOneCommit(work) {
      await client.query('begin')
      await work()
      await client.query('commit')
    },
    async finish() {
      for (const { definition } of dropped) await client.query(definition)
      for (const table of ['users', 'logins']) {
        await client.query(
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
        )
      }
      await client.query('vacuum analyze')
    },
    close: () => client.end(),
  }
}
