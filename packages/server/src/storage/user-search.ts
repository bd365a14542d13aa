import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Handle, isSqlite, kyselyOf } from './handle.ts'
import type { MigrationTools } from './migrate.ts'
import type { Database } from './schema.ts'

/*
 * Finds users by a part of their names or address in an index of trigrams: FTS5 on SQLite, pg_trgm on
 * PostgreSQL. A hosted PostgreSQL may refuse the extension, or keep it in a schema that we may not use.
 * The search then reads the table, within the deadline of every statement.
 */

/** The search and `latchkey move` know the name: what begins with `latchkey_` is not moved. */
const TABLE = sql.raw('latchkey_search')

/** One text per user. A line break keeps the end of one part and the start of the next apart. */
const textOf = (row: '' | 'new.' | 'old.'): RawBuilder<string> =>
  sql.raw(
    `(${row}username_key || '\n' || coalesce(${row}email_key, '') || '\n' || ${row}first_name_key || ' ' || ${row}last_name_key)`,
  )

export const makeSearch = ({ engine, run }: MigrationTools): Promise<unknown> =>
  engine === 'sqlite' ? makeOnSqlite(run) : run(MAKE_ON_POSTGRES)

/**
 * Triggers keep it in step with the users, also during an import or a move. `secure-delete` removes
 * the trigrams of a deleted user at once, as `secure_delete` does with rows.
 *
 * Each user also has a `mark`, the same for all, which stays when the user is deleted. It sorts before
 * every trigram of a name, so the first page of each part of the index has at least the mark. Without
 * it `secure-delete` can leave that page empty, and then `PRAGMA integrity_check` calls the index
 * malformed, up to SQLite 3.51 at least.
 */
async function makeOnSqlite(run: MigrationTools['run']): Promise<void> {
  const add = sql`insert into ${TABLE} (rowid, text, mark)
    values (new.id, ${textOf('new.')}, ${MARK})`
  const remove = sql`insert into ${TABLE} (${TABLE}, rowid, text)
    values ('delete', old.id, ${textOf('old.')})`
  await run(sql`create virtual table ${TABLE} using fts5
    (text, mark, content='', columnsize=0, tokenize='trigram case_sensitive 1')`)
  await run(sql`insert into ${TABLE} (${TABLE}, rank) values ('secure-delete', 1)`)
  await run(
    sql`insert into ${TABLE} (rowid, text, mark) select id, ${textOf('')}, ${MARK} from users`,
  )
  await run(sql`create trigger users_search_add after insert on users begin ${add}; end`)
  await run(sql`create trigger users_search_remove after delete on users begin ${remove}; end`)
  await run(sql`create trigger users_search_change
    after update of username_key, email_key, first_name_key, last_name_key on users
    when ${textOf('old.')} <> ${textOf('new.')} begin ${remove}; ${add}; end`)
}

const MARK = sql.raw('char(1, 1, 1)')

/** Makes it again, from the users. PostgreSQL needs nothing of the kind. */
export async function remakeOnSqlite({ engine, run }: MigrationTools): Promise<void> {
  if (engine !== 'sqlite') return
  for (const name of ['add', 'remove', 'change']) {
    await run(sql`drop trigger ${sql.raw(`users_search_${name}`)}`)
  }
  await run(sql`drop table ${TABLE}`)
  await makeOnSqlite(run)
}

/**
 * Empties the search of an SQLite, right after its users were deleted. The trigger has only noted what
 * to take out of the index, and doing that takes longer than everything else.
 */
export const emptySearch = (db: Kysely<Database>): Promise<unknown> =>
  sql`insert into ${TABLE} (${TABLE}) values ('delete-all')`.execute(db)

/** Another program may create the extension at the same moment. The second try then finds it. */
const MAKE_ON_POSTGRES = sql`do $$
  declare place text;
  begin
    for i in 1..2 loop
      begin
        create extension if not exists pg_trgm with schema public;
      exception when others then null;
      end;
      select n.nspname into place from pg_extension e
        join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
      exit when place is not null;
    end loop;
    if place is not null and has_schema_privilege(place, 'usage') then
      execute format('create index users_search on users using gin (%s %I.gin_trgm_ops)',
        $text$${textOf('')}$text$, place);
    end if;
  end $$`

/**
 * PostgreSQL keeps new users in a list beside the index until there are enough of them, and every
 * search reads the whole list. At its usual 4 MB a search took twenty times as long. At 64 KB, the
 * least, it is hardly noticed, and adding users takes no longer. First the list is emptied, since the
 * change of the limit locks the index.
 */
export async function shortenPendingList({ engine, run }: MigrationTools): Promise<void> {
  if (engine !== 'postgres') return
  await run(sql`select gin_clean_pending_list(found)
    from to_regclass('users_search') as found where found is not null`)
  await run(sql`alter index if exists users_search set (gin_pending_list_limit = 64)`)
}

/** Shorter texts are in no trigram. */
export const TRIGRAM = 3

/**
 * The condition that a text is a part of the names or the address of a user. It uses no index: it is
 * for a few users that are found already, and the index of trigrams would find all others, too.
 */
export const contains = (handle: Handle, text: string): RawBuilder<boolean> =>
  isSqlite(kyselyOf(handle))
    ? sql`instr(${textOf('')}, ${text}) > 0`
    : sql`strpos(${textOf('')}, ${text}) > 0`

/** The ids of the users that contain the text, which has at least three characters. */
export const searchIn = (handle: Handle, text: string): RawBuilder<{ id: number }> =>
  isSqlite(kyselyOf(handle))
    ? sql`select rowid as id from ${TABLE}
        where ${TABLE} match ${`"${text.replaceAll('"', '""')}"`}`
    : sql`select id from users where ${textOf('')} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`

/** The users with these ids, found by their keys whatever the order of the result. */
export const usersAmong = (handle: Handle, ids: readonly number[]): RawBuilder<unknown> =>
  isSqlite(kyselyOf(handle))
    ? sql`json_each(${JSON.stringify(ids)}) as found cross join users on users.id = found.value`
    : sql`unnest(${ids}::integer[]) as found (id) join users on users.id = found.id`
