// Fills a database with users, each with a token, a login, an event of the audit and a spent refresh token:
// `node bench/fill.js <DATABASE_URL> <users>`, such as `sqlite:/tmp/big.db 1000000`. A database that this program
// has filled before is filled up. Run the service with the same SECRET_KEY, from the environment or as printed here.
import { inFolder } from '../scripts/in-folder.js'
import { fillDatabase } from './lib/fill-database.js'
import { thousands } from './lib/numbers.js'
import { keyOf, PASSWORD, SECRET_KEY } from './lib/people.js'
import { query } from './lib/query.js'
import { runCommand } from './lib/server.js'

const [url = '', count = ''] = process.argv.slice(2)
const users = Number(count)
if (!/^(sqlite:\/|postgres(ql)?:)/.test(url) || !Number.isSafeInteger(users) || users < 1) {
  process.stderr.write('Usage: node bench/fill.js <sqlite:/path | postgres://…> <users>\n')
  process.exit(2)
}
const secret = process.env.SECRET_KEY ?? SECRET_KEY
const begun = performance.now()
let said = 0

await inFolder((folder) =>
  runCommand(['migrate'], { env: { DATABASE_URL: url, SECRET_KEY: secret }, folder }),
)
const [{ last }] = await query(url, 'select max(id) as last from users')
await fillDatabase(url, {
  secret,
  from: Number(last ?? 0) + 1,
  to: users,
  onProgress(done) {
    const seconds = (performance.now() - begun) / 1000
    if (seconds < said + 5 && done < users) return
    said = seconds
    const memory = Math.round(process.memoryUsage().rss / 1e6)
    process.stdout.write(`${thousands(done)} users, ${seconds.toFixed(0)} s, ${memory} MB\n`)
  },
})
process.stdout.write(
  `SECRET_KEY=${JSON.stringify(secret)}; user1 to user${users} have the password ${JSON.stringify(PASSWORD)}; the token of user1 is ${keyOf(1)}\n`,
)
