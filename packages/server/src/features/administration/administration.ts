import type { AdminUser } from '../../kernel/admin-answers.ts'
import { readPk } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import { declaredIn } from '../users/user-values.ts'
import { createAnswerAccount } from './answer-account.ts'
import { type Actor, OWN_CHANGE, permitsOf } from './rules.ts'
import { createRevoke } from './user-operations.ts'

/** A user that a name on the command line may mean, and why. */
export type Meant = { readonly user: User; readonly by: 'address' | 'username' | 'pk' }

const BATCH = 100

/** What only the command line asks and does, besides the operations. */
export function createAdministration(house: UpToAccount) {
  const { users, userFields } = house
  const { declared } = userFields
  const revoke = createRevoke(house)
  /** The names in the answers to `user show`, `end-session` and `revoke-token`, and so in all others. */
  let ours: ReadonlySet<string> | undefined

  return {
    flat,

    /** The user for programs, as they are now. */
    shown: async (user: User) =>
      flat((await createAnswerAccount(house).current(user)) as AdminUser),

    /**
     * All users that the name may mean: a username may look like the address or the pk of another
     * user.
     */
    async named(name: string): Promise<readonly Meant[]> {
      const pk = readPk(name)
      const found = [
        { by: 'address', user: name.includes('@') ? await users.findByEmail(name) : undefined },
        { by: 'username', user: await users.findByUsername(name) },
        { by: 'pk', user: pk === null ? undefined : await users.findByPk(pk) },
      ] as const
      const meant: Meant[] = []
      for (const { by, user } of found) {
        const isNew = user && !meant.some((other) => other.user.id === user.id)
        if (isNew) meant.push({ user, by })
      }
      return meant
    },

    /**
     * Revokes the credentials of all users, each in their own transaction. So each one is short, even
     * with a distant database, and no login waits for the whole run. Returns how many there were.
     */
    async revokeAll(actor: Actor, note: (done: number) => void): Promise<number> {
      const permits = permitsOf(actor, OWN_CHANGE, house)
      let done = 0
      for await (const page of users.pages(BATCH)) {
        for (const user of page) {
          await permits.change(user, (now, tx) => revoke(now, permits, tx)).catch(unlessGone)
        }
        done += page.length
        note(done)
      }
      return done
    },
  }

  /**
   * For programs: the fields of the deployment stand beside ours. Those with the name of one of ours
   * stay in `fields`.
   */
  function flat({ fields, ...rest }: AdminUser) {
    const own = Object.entries(declaredIn(fields, declared))
    const beside = own.filter(([name]) => !isOurs(name))
    const inside = own.filter(([name]) => isOurs(name))
    return {
      ...rest,
      ...Object.fromEntries(beside),
      ...(inside.length > 0 && { fields: Object.fromEntries(inside) }),
    }
  }

  /** A declared `language` takes the place of ours, as it does everywhere. */
  function isOurs(name: string): boolean {
    ours ??= new Set([
      ...Object.keys(createAnswerAccount(house).wholeSchema.properties),
      ...['ended', 'revoked'],
    ])
    return name !== 'language' && ours.has(name)
  }
}

/** A user can be deleted while others are changed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Problem && error.message === 'not_found')) throw error
}
