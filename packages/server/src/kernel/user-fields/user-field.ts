export const USER_FIELD_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'url',
  'list',
] as const

export type UserFieldType = (typeof USER_FIELD_TYPES)[number]

/** A date or a time is stored as text, a time in UTC. */
export type FieldValue = string | number | boolean | readonly string[] | null

/** A field of a user that `USER_FIELDS` declares. */
export type UserField = {
  readonly type: UserFieldType
  /** Characters of a text, or items of a list. */
  readonly max_length: number
  readonly min: number | null
  readonly max: number | null
  readonly choices: readonly FieldValue[] | null
  readonly required: boolean
  /** Shown for users who have no value. */
  readonly default: FieldValue
  readonly editable: boolean
  readonly signup: boolean
  readonly unique: boolean
}

export type UserFields = Readonly<Record<string, UserField>>
