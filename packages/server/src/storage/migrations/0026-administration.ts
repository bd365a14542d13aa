import { type RawBuilder, sql } from 'kysely'
import { searchKey } from '../../kernel/names.ts'
import type { Migration } from '../migrate.ts'
import { makeSearch } from '../user-search.ts'

type Tools = Parameters<Migration['up']>[0]

/** Operators find users and events in large tables, and the audit knows who acted. */
export const administration: Migration = {
  name: '0026-administration',
  async up(tools) {
    await addOperators(tools)
    await addLists(tools)
    await addNameKeys(tools)
    await makeSearch(tools)
    await tools.schema
      .createTable('daily_figures')
      .addColumn('day', tools.bigint, (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('count', tools.bigint, (c) => c.notNull())
      .addPrimaryKeyConstraint('daily_figures_key', ['day', 'kind'])
      .execute()
    await tools.schema
      .createTable('latchkey_locks')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .execute()
  },
}

/** Until now only commands were operators. */
async function addOperators({ schema, run, engine }: Tools): Promise<void> {
  for (const name of ['operator_kind', 'operator_pk', 'operator_name', 'address', 'reason']) {
    await schema.alterTable('audit_events').addColumn(name, 'text').execute()
  }
  const operator =
    engine === 'sqlite'
      ? sql`json_extract(details, '$.operator')`
      : sql`details::json ->> 'operator'`
  await run(sql`update audit_events set operator_kind = 'cli', operator_name = ${operator}
    where details like '%"operator":"%'`)
  for (const column of ['operator_kind', 'operator_pk', 'operator_name', 'event', 'user_id']) {
    await schema
      .createIndex(`audit_events_with_${column}`)
      .on('audit_events')
      .columns([column, 'at', 'id'])
      .execute()
  }
  await schema
    .createIndex('audit_events_in_order')
    .on('audit_events')
    .columns(['at', 'id'])
    .execute()
  await schema.dropIndex('audit_events_by_time').execute()
}

/** Each order of the list of users has an index, and so has each state that few users have. */
async function addLists({ run }: Tools): Promise<void> {
  await run(sql`create index users_by_joined on users (joined_at, id)`)
  await run(sql`create index users_by_last_login on users (coalesce(last_login_at, 0), id)`)
  const few: Readonly<Record<string, RawBuilder<unknown>>> = {
    staff: sql`is_staff = 1`,
    superusers: sql`is_superuser = 1`,
    inactive: sql`is_active = 0`,
    unverified: sql`email_verified = 0`,
  }
  for (const [name, condition] of Object.entries(few)) {
    await run(sql`create index ${sql.ref(`users_${name}`)} on users (id) where ${condition}`)
  }
}

/** SQL folds ASCII on every database. Other names are folded here. */
async function addNameKeys({ schema, run }: Tools): Promise<void> {
  for (const name of ['first_name_key', 'last_name_key']) {
    await schema
      .alterTable('users')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
  await run(sql`update users set first_name_key = lower(first_name),
    last_name_key = lower(last_name) where first_name <> '' or last_name <> ''`)
  const others = await run(sql<{ id: number; first_name: string; last_name: string }>`
    select id, first_name, last_name from users
    where octet_length(first_name || last_name) <> length(first_name || last_name)`)
  for (const { id, first_name, last_name } of others) {
    await run(sql`update users set first_name_key = ${searchKey(first_name)},
      last_name_key = ${searchKey(last_name)} where id = ${id}`)
  }
}
