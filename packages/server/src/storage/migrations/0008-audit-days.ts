import type { Migration } from '../migrate.ts'

export const auditDays: Migration = {
  name: '0008-audit-days',
  async up({ schema }) {
    await schema.alterTable('audit_events').addColumn('day_key', 'text').execute()
    await schema
      .alterTable('audit_events')
      .addColumn('times', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    await schema
      .createIndex('audit_events_day')
      .unique()
      .on('audit_events')
      .column('day_key')
      .execute()
  },
}
