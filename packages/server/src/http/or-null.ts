import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

/** The schema of a value that may be null. */
export const orNull = <S extends TSchema>(schema: S, options?: SchemaOptions) =>
  Type.Union([schema, Type.Null()], options)
