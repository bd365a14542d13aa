import { sql } from 'kysely'
import { nameKey } from '../../kernel/names.ts'
import type { Migration } from '../migrate.ts'

type Named = { id: number; username: string; username_key: string }

/**
 * Version 0.1.0 folded some names differently: ẞ, and international domains in a username. Today's
 * keys would not find these users. Plain ASCII was folded as it is now, and so were all addresses,
 * which are stored in ASCII.
 *
 * If several names are now the same, the oldest account keeps the name. The others log in with
 * their pk behind it, `weiss#17`, or with their address, until they choose another name.
 */
export const refoldedUsernames: Migration = {
  name: '0010-refolded-usernames',
  async up({ run, warn }) {
    const users = await run(sql<Named>`
      select id, username, username_key from users
      where octet_length(username_key) <> length(username_key) order by id`)
    for (const user of users) {
      const key = nameKey(user.username)
      if (key === user.username_key) continue
      const [holder] = await run(sql<Named>`
        select id, username, username_key from users where username_key = ${key}`)
      if (holder) await giveUp(holder.id > user.id ? holder : user, key)
      if (!holder || holder.id > user.id) await setKey(user, key)
    }

    async function giveUp({ id, username }: Named, key: string): Promise<void> {
      // Usernames cannot contain this character, so the name is free.
      const login = `${key}#${id}`
      await setKey({ id }, login)
      const words = 'this username is now the same as that of an older account, which keeps it'
      warn({ user: id, username, login }, words)
    }

    async function setKey({ id }: Pick<Named, 'id'>, key: string): Promise<void> {
      await run(sql`update users set username_key = ${key} where id = ${id}`)
    }
  },
}
