import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { startPostgres } from './postgres.js'

/** The two databases, each with a way to say what is wrong with its files: nothing is an empty list. */
export const databases = {
  async sqlite(folder) {
    const own = join(folder, 'sqlite')
    await mkdir(own)
    const file = join(own, 'latchkey.db')
    return { url: `sqlite:${file}`, file, folder: own, findDamage: () => damageOf(file), stop() {} }
  },
  async postgres(folder) {
    const postgres = await startPostgres(folder)
    return {
      ...postgres,
      url: postgres.urlAt(postgres.port),
      folder,
      findDamage: () => amcheck(postgres),
    }
  },
}

export function damageOf(file) {
  const database = new Libsql(file)
  const rows = database.pragma('integrity_check')
  const orphans = database.pragma('foreign_key_check')
  database.close()
  return [
    ...rows.map((row) => row.integrity_check).filter((words) => words !== 'ok'),
    ...orphans.map(({ table, rowid }) => `${table} ${rowid} has no owner`),
  ]
}

/** Every index against its table. */
async function amcheck({ query }) {
  try {
    await query(
      'create extension if not exists amcheck',
      `select bt_index_check(i.indexrelid, true) from pg_index i
       join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       where a.amname = 'btree' and c.relpersistence <> 't' and i.indisvalid`,
    )
    return []
  } catch (error) {
    return [error.message]
  }
}
