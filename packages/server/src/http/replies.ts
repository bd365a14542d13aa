import { Type } from '@sinclair/typebox'

/** The answer of an endpoint that only says that it is done, and in which words. */
export const saying = (detail: string) =>
  Type.Object({ detail: Type.String() }, { $id: 'Detail', examples: [{ detail }] })
