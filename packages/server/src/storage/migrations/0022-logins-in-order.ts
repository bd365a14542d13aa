import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The newest logins of a user are found without reading all of them. How a login of another service
 * began is not known: those of refresh tokens had a word of their own, and sessions were taken for
 * logins by password. Nobody has proved anything here in either.
 */
export const loginsInOrder: Migration = {
  name: '0022-logins-in-order',
  async up({ schema, run }) {
    await schema
      .createIndex('logins_of_user_in_order')
      .on('logins')
      .columns(['user_id', 'id'])
      .execute()
    await schema.dropIndex('logins_of_user').execute()
    await run(sql`update logins set method = 'unknown'
      where method = 'refresh' or authenticated_at = 0`)
  },
}
