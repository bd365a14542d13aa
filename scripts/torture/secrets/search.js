import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'libsql'

/** Shorter values, such as a login code, are found by chance in random bytes. So only texts are searched for them. */
const LONG = 9

/** A value as programs write it down: as it is, and in the usual encodings. */
const formsOf = (value) => {
  const bytes = Buffer.from(value)
  const forms = [value, bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')]
  return [...forms, bytes.toString('hex'), encodeURIComponent(value)].map((form) =>
    Buffer.from(form),
  )
}

/** Finds a short value as a whole word, with or without its spaces. Digits after a point are a fraction. */
function asWord(value) {
  const forms = [value, value.replaceAll(' ', '')].map((form) => form.replaceAll(/\W/g, '\\$&'))
  return new RegExp(`(?<![\\w.])(?:${forms.join('|')})(?!\\w)`)
}

/** Returns the names of the canaries that are in these bytes. */
export function foundIn(bytes, canaries) {
  const text = bytes.includes(0) ? '' : bytes.toString()
  const isIn = (value) =>
    value.length < LONG
      ? asWord(value).test(text)
      : formsOf(value).some((form) => bytes.includes(form))
  return Object.entries(canaries)
    .filter(([, value]) => isIn(value))
    .map(([name]) => name)
}

/** Searches all files of a folder, and of those below. Returns "file: canary" for each that is found. */
export async function searchFolder(folder, canaries) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    found.push(...foundIn(bytes, canaries).map((name) => `${entry.name}: ${name}`))
  }
  return found
}

/** All rows of all tables, as text. */
export const rowsOf = async ({ postgres, settings }) =>
  Buffer.from(
    (postgres ? await rowsInPostgres(postgres) : rowsInSqlite(settings.DATABASE_URL)).join('\n'),
  )

async function rowsInPostgres({ query }) {
  const tables = await query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows = []
  for (const { name } of tables) {
    rows.push(...(await query(`select row_to_json(t)::text as row from "${name}" t`)))
  }
  return rows.map(({ row }) => row)
}

function rowsInSqlite(url) {
  const database = new Sqlite(url.replace(/^sqlite:/, ''), { readonly: true })
  try {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'",
      )
      .all()
    return tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => JSON.stringify(row)),
    )
  } finally {
    database.close()
  }
}
