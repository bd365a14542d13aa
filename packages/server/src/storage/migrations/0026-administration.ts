import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The audit knows operators, and is found by who acted, by what happened and by time. Until now only
 * commands were operators.
 */
export const administration: Migration = {
  name: '0026-administration',
  async up({ schema, run, engine }) {
    const columns = {
      operator_kind: 'text',
      operator_pk: 'text',
      operator_name: 'text',
      address: 'text',
      reason: 'text',
    } as const
    for (const [name, type] of Object.entries(columns)) {
      await schema.alterTable('audit_events').addColumn(name, type).execute()
    }
    const operator =
      engine === 'sqlite'
        ? sql`json_extract(details, '$.operator')`
        : sql`details::json ->> 'operator'`
    await run(sql`update audit_events set operator_kind = 'cli', operator_name = ${operator}
      where details like '%"operator":"%'`)
    for (const [name, column] of [
      ['audit_events_of_operator', 'operator_name'],
      ['audit_events_of_operator_pk', 'operator_pk'],
      ['audit_events_of_event', 'event'],
    ] as const) {
      await schema.createIndex(name).on('audit_events').columns([column, 'id']).execute()
    }
    await schema
      .createTable('latchkey_locks')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .execute()
    await run(sql`insert into latchkey_locks (name) values ('superusers')`)
    await schema
      .createIndex('users_superusers')
      .on('users')
      .column('id')
      .where(sql.ref('is_superuser'), '=', sql.lit(1))
      .execute()
  },
}
