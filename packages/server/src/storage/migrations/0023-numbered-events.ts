import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The events of a line are numbered by the line. Some databases hand out ids in blocks, so ids need not
 * follow the order in which things happened.
 */
export const numberedEvents: Migration = {
  name: '0023-numbered-events',
  async up({ schema, run, bigint }) {
    for (const [table, column] of [
      ['events', 'number'],
      ['event_lines', 'last_number'],
    ] as const) {
      await schema
        .alterTable(table)
        .addColumn(column, bigint, (c) => c.notNull().defaultTo(0))
        .execute()
    }
    await run(sql`update events set number = id`)
    await run(sql`update event_lines set last_number = coalesce((
      select max(number) from events
      where events.receiver = event_lines.receiver and events.user_id = event_lines.user_id), 0)`)
    await schema.dropIndex('events_of_line').execute()
    await schema
      .createIndex('events_of_line_in_order')
      .on('events')
      .columns(['receiver', 'user_id', 'state', 'number'])
      .execute()
  },
}
