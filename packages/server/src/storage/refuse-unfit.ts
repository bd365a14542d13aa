import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import { standBy, wrongEncoding } from './faults.ts'

type Server = { is_read_only: boolean; encoding: string }

/** All others lack characters that people have in their names. `SQL_ASCII` keeps whatever it gets. */
const ENCODINGS = ['UTF8', 'SQL_ASCII']

/**
 * Throws if the database cannot be used for this. A service on a stand-by could not even log anybody
 * in, but a command may read there.
 */
export async function refuseUnfit(
  { engine, db }: Connection,
  use: 'reads' | 'writes',
): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<Server>`
    select current_setting('transaction_read_only') = 'on' as is_read_only,
      current_setting('server_encoding') as encoding`.execute(db)
  for (const { is_read_only, encoding } of rows) {
    if (use === 'writes' && is_read_only) {
      throw standBy('it is a stand-by, which accepts no writes. Name the primary in DATABASE_URL.')
    }
    if (!ENCODINGS.includes(encoding)) throw wrongEncoding(encoding)
  }
}
