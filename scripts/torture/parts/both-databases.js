import { copyFile, mkdir, rm } from 'node:fs/promises'
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

/** Of a copy, since reading a database can write to it. */
async function damageOf(file) {
  const copy = `${file}.copy`
  try {
    for (const ending of ['', '-wal']) {
      await copyFile(`${file}${ending}`, `${copy}${ending}`).catch(() => {})
    }
    return findFaults(new Libsql(copy))
  } catch (error) {
    return [error.message]
  } finally {
    for (const ending of ['', '-wal', '-shm']) await rm(`${copy}${ending}`, { force: true })
  }
}

function findFaults(database) {
  const unsound = database.pragma('integrity_check').map((row) => row.integrity_check)
  const orphans = database.pragma('foreign_key_check')
  const lost = database.prepare(NOT_FOUND).all()
  database.close()
  return [
    ...unsound.filter((words) => words !== 'ok'),
    ...orphans.map(({ table, rowid }) => `${table} ${rowid} has no owner`),
    ...lost.map(({ username }) => `${username} is not found`),
  ]
}

/** Users that the index of names does not find. `integrity_check` cannot compare it with its users. */
const NOT_FOUND = `select username from users where id not in
  (select rowid from latchkey_search where latchkey_search match '"' || username_key || '"')`

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
