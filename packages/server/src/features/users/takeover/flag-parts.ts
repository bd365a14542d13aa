import type { TakeoverPart } from '../../../core/takeover.ts'
import type { User } from '../../../storage/schema.ts'
import { changeAdopted } from './adopt-queries.ts'
import { flagColumns } from './adopt-users.ts'

type MarksOf = (mark: (user: User) => unknown) => TakeoverPart['marks']

/** What almost everybody has is not worth a digest. */
const USUAL = { is_active: 1, is_staff: 0, is_superuser: 0 } as const

const NAMES = ['is_active', 'is_staff', 'is_superuser'] as const

/**
 * What a user may do. Each flag is a part of its own: a ban there counts, whatever else was changed
 * here, and one that was made here stays when another flag changes there.
 */
export const flagParts = (marksOf: MarksOf): TakeoverPart[] =>
  NAMES.map((name) => {
    const unusual = (flag: number) => (flag === USUAL[name] ? null : flag)
    return {
      name,
      winsThere: true,
      of: (source) => unusual(flagColumns(source)[name]),
      marks: marksOf((user) => unusual(user[name])),
      add: async () => [],
      async replace({ userId, source }, tx) {
        await changeAdopted(tx, userId, { [name]: flagColumns(source)[name] })
        return []
      },
    }
  })
