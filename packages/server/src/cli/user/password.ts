import { buffer } from 'node:stream/consumers'
import type { User } from '../../storage/schema.ts'
import { command } from '../command.ts'
import type { Io } from '../io.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { nameOf, type Operations, reasonOption } from '../with-operations.ts'
import { USER, userChange, userOptions, withUser } from './with-user.ts'

export const userSetPassword = command({
  argument: USER,
  options: {
    'password-stdin': { type: 'flag', doc: 'Read the password from standard input (required)' },
    ...reasonOption,
    ...userOptions,
  },
  async run(call) {
    // There is no other way, but the option is required, so that the command line says where the
    // password comes from.
    if (!call.values['password-stdin'])
      throw usageRefusal('The option --password-stdin is required.')
    await withUser(call, async (user, operations) => {
      await operations.run('users.setPassword', user, { password: await readPassword(call.io) })
      call.say(
        `${nameOf(user)} has a new password and is logged out everywhere.`,
        await operations.shown(user),
      )
    })
  },
})

export const userSendReset = userChange({}, async (call, user, operations) => {
  await operations.run('users.sendReset', user)
  const words = `${nameOf(user)} gets a mail with a link to set a new password.`
  call.say(words, await operations.shown(user))
})

export const userResetMfa = userChange({}, async (call, user, operations) => {
  const consequence = await consequenceOf(user, operations)
  await operations.run('users.resetMfa', user)
  call.say(consequence, await operations.shown(user))
})

async function consequenceOf(user: User, { services }: Operations): Promise<string> {
  const { db, mfa, operatorPasskey } = services
  const [name, loggedOut] = [nameOf(user), 'and all their devices are logged out']
  if (await mfa.isOn(user.id)) return `MFA of ${name} is off now, ${loggedOut}.`
  if (!(await operatorPasskey.isNeeded(user, db))) return `MFA of ${name} was already off.`
  return `The passkeys of ${name} for the admin pages are removed, ${loggedOut}.`
}

/**
 * Reads the password from standard input, exactly as it is, except for one line break at its end.
 */
export async function readPassword({ stdin, stderr }: Io): Promise<string> {
  if (stdin.isTTY)
    stderr.write(
      'Type the password, then press Enter and Ctrl-D (the password is visible while you type):\n',
    )
  const bytes = await buffer(stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    // Invalid UTF-8 would become a password that nobody can type.
    throw refusal('The password is not valid UTF-8.')
  }
}
