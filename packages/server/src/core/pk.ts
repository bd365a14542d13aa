import type { Pk } from '../kernel/ids.ts'
import type { User } from '../storage/schema.ts'

/** The id of the user on the wire. The integer key of a user with a UUID is never shown. */
export const pkOf = ({ id, uuid }: Pick<User, 'id' | 'uuid'>): Pk => uuid ?? id
