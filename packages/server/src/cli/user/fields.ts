import { email, optional, password, text } from '../../http/fields.ts'
import { USERNAME_MAX } from '../../kernel/names.ts'

const PASSWORD_MAX = 128

/** The rules for a new account, and the messages, are those of the API. */
export const accountFields = {
  username: text({ max: USERNAME_MAX }),
  email: optional(email()),
  password: optional(password({ max: PASSWORD_MAX })),
}

export const passwordFields = { password: password({ max: PASSWORD_MAX }) }
