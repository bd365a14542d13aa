import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

/** The schema of a time. */
export const Time = Type.String({ format: 'date-time', examples: ['2030-01-01T12:00:00.000Z'] })

/** The schema of a value that may be null. */
export const orNull = <S extends TSchema>(schema: S, options?: SchemaOptions) =>
  Type.Union([schema, Type.Null()], options)
