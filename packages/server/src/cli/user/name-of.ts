import { pkOf } from '../../core/identity.ts'
import { visible } from '../../kernel/texts.ts'
import type { User } from '../../storage/schema.ts'

/** `ada (pk 1)`, always on one line, since a name could contain a line break. */
export const nameOf = (user: User): string => `${visible(user.username)} (pk ${pkOf(user)})`
