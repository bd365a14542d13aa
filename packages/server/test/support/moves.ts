import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { newCli } from '../cli/support/cli.ts'
import { newDatabaseFolder } from './database-folder.ts'
import { newDatabase, PATIENT_MS } from './new-database.ts'
import { type StillClock, startAuth } from './start-auth.ts'

type Settings = NonNullable<Parameters<typeof startAuth>[0]>

/** An SQLite in a file, whichever database the tests use. */
export async function newSqlite(): Promise<string> {
  const folder = await newDatabaseFolder('move')
  return `sqlite:${join(folder, 'latchkey.db')}`
}

/** An empty database of the kind that the tests use. */
export const newTarget = (): Promise<string> => newDatabase(true)

/** A service on this database, until it is stopped. */
export async function serveOn(DATABASE_URL: string, settings: Settings = {}, clock?: StillClock) {
  const ends: (() => Promise<void>)[] = []
  const started = await startAuth(
    { DATABASE_URL, ...settings },
    {
      atTheEnd: (end) => ends.push(end),
      ...(clock && { startAt: clock.now() }),
    },
  )
  const stop = async () => {
    for (const end of ends.splice(0)) await end()
  }
  onTestFinished(stop)
  return { ...started, stop }
}

/** Runs `latchkey move` in this process. */
export async function newMover() {
  const { run } = await newCli()
  return (from: string, to: string, ...options: string[]) => run(['move', from, to, ...options])
}

/** Works on a database beside its service. */
export async function inDatabase<T>(
  DATABASE_URL: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect({ ...PATIENT_MS, DATABASE_URL })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** As if the leases of all processes of this kind had ended. */
export const endLeases = (url: string, role: 'service' | 'mover') =>
  inDatabase(url, ({ db }) =>
    db.updateTable('latchkey_instances').set({ lease_until: 0 }).where('role', '=', role).execute(),
  )
