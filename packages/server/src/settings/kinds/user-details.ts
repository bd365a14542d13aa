import { list, record } from '../../kernel/setting-kinds/compounds.ts'
import { read, textual } from '../../kernel/setting-kinds/kind.ts'
import { choice } from '../../kernel/setting-kinds/scalars.ts'

const FIELDS = ['pk', 'username', 'email', 'first_name', 'last_name'] as const
const EDITABLE = ['username', 'first_name', 'last_name'] as const

export type UserDetails = {
  readonly fields: readonly (typeof FIELDS)[number][]
  readonly editable: readonly (typeof EDITABLE)[number][]
}

const field = choice(FIELDS)
const harmless = choice(EDITABLE)

/** A pk never changes, and an address changes only by proving the new one. */
const editableField = textual(
  `${harmless.expected}; pk and email cannot be made editable`,
  (input) => read(harmless, input),
)

export const userDetails = record<UserDetails>(
  { fields: list(field), editable: list(editableField) },
  complete,
)

/** A field that is not shown is not editable, unless it is listed explicitly. */
function complete({
  fields = FIELDS,
  editable = EDITABLE.filter((name) => fields.includes(name)),
}: Partial<UserDetails>): UserDetails {
  return { fields, editable }
}

export const defaultUserDetails = complete({})
