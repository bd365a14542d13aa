import { readId } from '../../kernel/ids.ts'
import type { User } from '../../storage/schema.ts'
import type { Operator } from '../audit/operator.ts'
import { type ChangesNeeds, changesBy } from './changes.ts'

export type Administration = ReturnType<typeof createAdministration>

/** All that an operator may do to accounts, whoever owns them, in the name of one operator. */
export type Accounts = ReturnType<Administration['by']>

/** Somebody whom a name on the command line may mean, and why. */
export type Meant = { readonly user: User; readonly by: 'address' | 'username' | 'pk' }

const HISTORY_LENGTH = 20

export function createAdministration(needs: ChangesNeeds) {
  const { audit, users } = needs

  const looks = {
    list: users.list,
    count: users.count,
    withPk: (pk: number) => users.findById(pk),
    withUsername: users.findByUsername,

    /** Everybody whom it may mean: a username may look like the address or the pk of another. */
    async named(name: string): Promise<readonly Meant[]> {
      const pk = readId(name)
      const found = [
        { by: 'address', user: name.includes('@') ? await users.findByEmail(name) : undefined },
        { by: 'username', user: await users.findByUsername(name) },
        { by: 'pk', user: pk === null ? undefined : await users.findById(pk) },
      ] as const
      const meant: Meant[] = []
      for (const { by, user } of found) {
        const isNew = user && !meant.some((other) => other.user.id === user.id)
        if (isNew) meant.push({ user, by })
      }
      return meant
    },

    /** What happened to the account lately, newest first; of a deleted one, only that. */
    history: (pk: number) => audit.newestOfUser(pk, HISTORY_LENGTH),
  }

  return {
    ...looks,
    by: (operator: Operator) => ({ ...looks, ...changesBy(operator, needs) }),
  }
}
