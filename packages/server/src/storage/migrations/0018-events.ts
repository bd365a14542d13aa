import type { Migration } from '../migrate.ts'

/** What hooks and webhooks are still to be told, and the lines in which it waits. */
export const events: Migration = {
  name: '0018-events',
  async up({ schema, identity, bigint }) {
    await schema
      .createTable('events')
      .$call(identity)
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('receiver', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('sealed_event', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addUniqueConstraint('events_by_event_id', ['event_id', 'receiver'])
      .execute()
    await schema
      .createTable('event_lines')
      .addColumn('receiver', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('due_at', bigint, (c) => c.notNull())
      .addColumn('claim', 'text')
      .addPrimaryKeyConstraint('event_lines_key', ['receiver', 'user_id'])
      .execute()
    await schema
      .createTable('event_listeners')
      .addColumn('receiver', 'text', (c) => c.primaryKey())
      .addColumn('kinds', 'text', (c) => c.notNull())
      .execute()
    for (const [name, table, columns] of [
      ['events_of_line', 'events', ['receiver', 'user_id', 'state', 'id']],
      ['events_of_user', 'events', ['user_id', 'id']],
      ['events_by_time', 'events', ['state', 'created_at']],
      ['event_lines_by_due', 'event_lines', ['receiver', 'due_at']],
      ['event_lines_by_time', 'event_lines', ['due_at']],
    ] as const) {
      await schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
        .execute()
    }
  },
}
