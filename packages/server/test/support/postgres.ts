import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { directUrl } from './new-database.ts'
import type { StartedAuth } from './start-auth.ts'

/** For tests of what only a server can do. */
export const onPostgres = inject('postgresUrl') !== null

/** For tests of connections that lead to the server itself. */
export const onDirectPostgres = onPostgres && inject('poolerPort') === null

/** A separate connection of an operator to the database of a service. */
export const connectBeside = ({ settings }: StartedAuth): Promise<pg.Client> =>
  connectTo(directUrl(settings.DATABASE_URL))

/**
 * A database apart from those of other tests. `how` completes `create database`, and `role`, if given,
 * becomes its owner, without further rights. `operator` is connected to it, `root` to another one.
 */
export async function createDatabase({ how = '', role = '' } = {}) {
  const name = `test_${randomBytes(8).toString('hex')}`
  const root = await connectTo(inject('postgresUrl') ?? '')
  if (role) await root.query(`create role ${role} login`)
  await root.query(`create database ${name} ${role && `owner ${role}`} ${how}`)
  onTestFinished(async () => {
    await root.query(`drop database ${name} with (force)`)
    if (role) await root.query(`drop role ${role}`)
  })
  const url = new URL(inject('postgresUrl') ?? '')
  url.pathname = name
  const operator = await connectTo(url.href)
  if (role) url.username = role
  return { name, url: url.href, operator, root }
}

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** The URL of the same database for another role, which an operator can make read-only. */
export async function createRole({ settings }: StartedAuth, operator: pg.Client) {
  const name = `role_${randomBytes(8).toString('hex')}`
  await operator.query(`create role ${name} superuser login password 'secret'`)
  await operator.query(`alter role ${name} set search_path = ${await schemaOf(operator)}`)
  onTestFinished(async () => {
    await operator.query(`drop role ${name}`)
  })
  const url = new URL(settings.DATABASE_URL)
  url.username = name
  url.password = 'secret'
  const setting = 'default_transaction_read_only'
  return {
    url: url.href,
    makeReadOnly: () => operator.query(`alter role ${name} set ${setting} = on`),
    makeWritable: () => operator.query(`alter role ${name} reset ${setting}`),
  }
}

async function schemaOf(operator: pg.Client): Promise<string> {
  const { rows } = await operator.query<{ schema: string }>('select current_schema as schema')
  return rows[0]?.schema ?? ''
}

/** The process ids of the service's connections that wait for a lock that the operator holds. */
export async function waitersFor(operator: pg.Client): Promise<number[]> {
  const { rows } = await operator.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where application_name = 'latchkey' and pg_backend_pid() = any(pg_blocking_pids(pid))`,
  )
  return rows.map(({ pid }) => pid)
}

/** Fails with the answer if the request is answered instead of waiting. */
export async function waitForWaiter(
  operator: pg.Client,
  request: Promise<unknown> = new Promise(() => {}),
): Promise<number> {
  const waiting = vi.waitFor(
    async () => {
      const found = await waitersFor(operator)
      expect(found).not.toEqual([])
      return found
    },
    { timeout: 60_000, interval: 20 },
  )
  const answered = request.then((answer) => {
    throw new Error(`It did not wait: ${JSON.stringify(answer)}`)
  })
  const pids = await Promise.race([waiting, answered])
  return pids[0] ?? 0
}
