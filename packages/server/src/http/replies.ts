import { Type } from '@sinclair/typebox'

/** Answers that many endpoints share. */
export const Detail = Type.Object({ detail: Type.String() }, { $id: 'Detail' })

/** The same, for an endpoint that always says one thing. */
export const saying = (detail: string) =>
  Type.Object({ detail: Type.String() }, { $id: 'Detail', examples: [{ detail }] })
