import { sql } from 'kysely'
import type { Connection } from './connect.ts'

export async function hasTable(
  { db, engine }: Pick<Connection, 'db' | 'engine'>,
  name: string,
): Promise<boolean> {
  const { rows } = await (engine === 'sqlite'
    ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
    : sql`select 1 where to_regclass(${name}) is not null`
  ).execute(db)
  return rows.length > 0
}
