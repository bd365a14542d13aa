import { Type } from '@sinclair/typebox'

/** The schema of an answer that is only a message. */
export const saying = (detail: string) =>
  Type.Object({ detail: Type.String() }, { $id: 'Detail', examples: [{ detail }] })
