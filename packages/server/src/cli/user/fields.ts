import { email, optional, password, text } from '../../http/fields.ts'
import { USERNAME_MAX } from '../../kernel/names.ts'

const PASSWORD_MAX = 128

/** A new account follows the rules of the API, and is refused in its words. */
export const accountFields = {
  username: text({ max: USERNAME_MAX }),
  email: optional(email()),
  password: optional(password({ max: PASSWORD_MAX })),
}

export const passwordFields = { password: password({ max: PASSWORD_MAX }) }
