import { Type } from '@sinclair/typebox'

/** Answers that many endpoints share. */
export const Detail = Type.Object({ detail: Type.String() }, { $id: 'Detail' })
