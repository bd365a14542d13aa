// Repeats the attacks of a security review over the network: `npm run attacks`. Needs a build. The
// program runs as an operator starts it, on SQLite and on its own PostgreSQL, on loopback only, for about
// a minute. What needs a provider (junk codes, sign-ups while registration is closed) is in the
// tests: `packages/server/test/product/social`.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { attacks } from './attacks/all.js'
import { RESETS_A_MINUTE } from './attacks/forwarded.js'
import { inFolder } from './in-folder.js'
import { findLink } from './torture/parts/mails.js'
import { startPostgres } from './torture/parts/postgres.js'
import { startService } from './torture/parts/service.js'

const secretKey = 'in use for the time of the attacks, long enough'
const formerKey = 'it leaked, and is a fallback until all is resealed'

const wanted = process.argv.slice(2)
const isWanted = ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word))

await inFolder(async (folder, atTheEnd) => {
  await attack('SQLite', folder, `sqlite:${join(folder, 'latchkey.db')}`)
  const postgres = await startPostgres(folder)
  atTheEnd(postgres.stop)
  await attack('PostgreSQL', folder, postgres.urlAt(postgres.port))
})

async function attack(engine, folder, databaseUrl) {
  const mails = join(folder, engine)
  await mkdir(mails)
  const service = await startService(folder, databaseUrl, {
    SECRET_KEY: secretKey,
    SECRET_KEY_FALLBACKS: JSON.stringify([formerKey]),
    EMAIL_URL: `file:${mails}`,
    LOG_LEVEL: 'warn',
    REST_FRAMEWORK_NUM_PROXIES: '1',
    ACCOUNT_RATE_LIMITS: JSON.stringify({ reset_mail: `3/15m/key,${RESETS_A_MINUTE}/m/ip` }),
  })
  try {
    const target = {
      ...service,
      secretKey,
      formerKey,
      linkTo: (...about) => findLink(mails, ...about),
    }
    for (const { name, run } of attacks.filter(isWanted)) {
      const { passed, figure } = await run(target)
      const isHeld = passed && service.isAlive()
      if (!isHeld) process.exitCode = 1
      process.stdout.write(
        `${isHeld ? 'PASS' : 'FAIL'}  ${engine.padEnd(10)}  ${name}: ${figure}\n`,
      )
    }
  } finally {
    await service.stop()
  }
}
