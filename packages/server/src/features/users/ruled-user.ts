import type { RuledUser } from '../../core/host/plug-points.ts'
import { pkOf } from '../../core/pk.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import type { User } from '../../storage/schema.ts'

/** What is known of a user, or of the visitor who registers. */
export type PersonalDetails = Partial<
  Pick<User, 'id' | 'uuid' | 'username' | 'first_name' | 'last_name' | 'email'>
>

/** The same for the rules of the host, as it is or will be stored. */
export function ruledUser(details: PersonalDetails): RuledUser {
  const { id, uuid = null, username = '', email = '', first_name = '', last_name = '' } = details
  return {
    pk: id === undefined ? null : pkOf({ id, uuid }),
    username: normalizeUsername(username),
    email: nameKey(email),
    first_name,
    last_name,
  }
}
