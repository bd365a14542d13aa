import { change } from '../../storage/query.ts'

/** Only if it is not stored yet. */
export const noteAsked = change((db, id: number, at: number) =>
  db
    .updateTable('users')
    .set({ mfa_asked_at: at })
    .where('id', '=', id)
    .where('mfa_asked_at', 'is', null),
)
