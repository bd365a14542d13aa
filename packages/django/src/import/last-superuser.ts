import { isLastSuperuser } from '../../../server/src/features/users/superusers.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import type { User } from '../../../server/src/storage/schema.ts'
import type { Part } from '../map/part.ts'
import { flagsOf } from '../map/parts.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { ImportOrder } from './import-order.ts'

export type LastSuperuser = ReturnType<typeof createLastSuperuser>

/** What the report says about changes that would leave nobody to administer the service. */
export const LAST_SUPERUSER =
  'this is the last active superuser here; make another user a superuser first, or use --force'

/** Finds what must not be imported for the last active superuser. Only superusers cost a query. */
export function createLastSuperuser({ isForced }: Pick<ImportOrder, 'isForced'>) {
  const mustStay = async (user: User, tx: Tx): Promise<boolean> =>
    !isForced && (await isLastSuperuser(user, tx))

  return {
    /** Whether the user, whose row is locked, must not be deleted. */
    mustStay,

    /** The flags that must not be imported, of those that have changed there. */
    async heldBack(
      user: User,
      { changed, source }: { changed: readonly Part[]; source: DjangoUser },
      tx: Tx,
    ): Promise<readonly Part[]> {
      const flags = flagsOf(source)
      const removing = changed.filter(
        ({ name }) => (name === 'is_active' || name === 'is_superuser') && !flags[name],
      )
      return removing.length > 0 && (await mustStay(user, tx)) ? removing : []
    },
  }
}
