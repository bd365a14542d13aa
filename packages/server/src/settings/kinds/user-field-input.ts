import type { UserFieldType } from '../../kernel/user-fields/user-field.ts'

/** The declaration of one field in `USER_FIELDS`. See docs/user-fields.md. */
export type UserFieldInput =
  | (Declared<'string' | 'url', string> & Long)
  | (Declared<'list', readonly string[], string> & Long)
  | (Declared<'integer' | 'number', number> & Limited)
  | Declared<'boolean', boolean>
  | Declared<'date' | 'datetime', string>

type Declared<Type extends UserFieldType, Value, Item = Value> = {
  readonly type: Type
  /** The only values, or the only items of a `list`. */
  readonly choices?: readonly Item[] | null | undefined
  /** Shown for users without a value. */
  readonly default?: Value | null | undefined
  /** Registration asks for it (with `signup`); it cannot be null or blank. */
  readonly required?: boolean | undefined
  /** `PUT` and `PATCH user/` accept it. This is the default. */
  readonly editable?: boolean | undefined
  /** Registration accepts it. */
  readonly signup?: boolean | undefined
  /** No two users have the same value. */
  readonly unique?: boolean | undefined
}

type Long = {
  /** Characters of a text, or items of a `list`. */
  readonly max_length?: number | null | undefined
}

type Limited = {
  readonly min?: number | null | undefined
  readonly max?: number | null | undefined
}
