import { one } from '../../storage/query.ts'
import type { UserRow } from '../../storage/schema.ts'

/** Only if the address is still theirs. */
export const markVerified = one((db, id: number, emailKey: string) =>
  db
    .updateTable('users')
    .set({ email_verified: 1 })
    .where('id', '=', id)
    .where('email_key', '=', emailKey)
    .returningAll(),
)

/** Only while the address is theirs and nobody has proved it. */
export const removeUnprovedEmail = one((db, id: number, emailKey: string) =>
  db
    .updateTable('users')
    .set((eb) => ({ email: '', email_key: null, email_epoch: eb('email_epoch', '+', 1) }))
    .where('id', '=', id)
    .where('email_key', '=', emailKey)
    .where('email_verified', '=', 0)
    .returningAll(),
)

type AddressColumns = Pick<UserRow, 'email' | 'email_key' | 'email_verified'>

/** Fails if somebody else has the address. The epoch stays if only the flag changes. */
export const changeEmail = one((db, id: number, address: AddressColumns) =>
  db
    .updateTable('users')
    .set((eb) => {
      const isSame = eb.case().when('email', '=', address.email)
      const step = isSame.then(eb.lit(0)).else(eb.lit(1)).end()
      return { ...address, email_epoch: eb('email_epoch', '+', step) }
    })
    .where('id', '=', id)
    .returningAll(),
)
