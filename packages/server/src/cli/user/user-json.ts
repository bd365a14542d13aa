import { pkOf } from '../../core/identity.ts'
import { groupsOf } from '../../features/users/user-values.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { visible } from '../../kernel/texts.ts'
import type { User } from '../../storage/schema.ts'

export type UserJson = ReturnType<typeof userJson>

/** A user for programs. The text for people is made from it. */
export const userJson = (user: User) => ({
  pk: pkOf(user),
  username: user.username,
  email: user.email,
  first_name: user.first_name,
  last_name: user.last_name,
  language: user.language,
  email_verified: user.email_verified === 1,
  is_active: user.is_active === 1,
  is_staff: user.is_staff === 1,
  is_superuser: user.is_superuser === 1,
  groups: groupsOf(user),
  date_joined: isoTime(user.joined_at),
  last_login: isoTimeOrNull(user.last_login_at),
})

/** `ada (pk 1)`, always on one line, since a name could contain a line break. */
export const nameOf = (user: User): string => `${visible(user.username)} (pk ${pkOf(user)})`

export const yesOrNo = (flag: boolean): string => (flag ? 'yes' : 'no')
