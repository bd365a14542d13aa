import { readFields } from '../../http/fields.ts'
import { command } from '../command.ts'
import { usageRefusal } from '../refusal.ts'
import { passwordFields } from './fields.ts'
import { readPassword } from './password-stdin.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userSetPassword = command({
  argument: USER,
  options: {
    'password-stdin': { type: 'flag', doc: 'Read the password from standard input (required)' },
    ...userOptions,
  },
  async run(call) {
    // It is the only way, and still required: the command line then says where the password is from.
    if (!call.values['password-stdin'])
      throw usageRefusal('The option --password-stdin is required.')
    await withUser(call, async (user, accounts) => {
      const { password } = readFields(passwordFields, { password: await readPassword(call.io) })
      await accounts.setPassword(user, password)
      call.say(`${nameOf(user)} has a new password and is logged out everywhere.`, userJson(user))
    })
  },
})
