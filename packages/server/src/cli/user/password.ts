import { buffer } from 'node:stream/consumers'
import { command } from '../command.ts'
import type { Io } from '../io.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { nameOf, userJson } from './user-json.ts'
import { USER, userCommand, userOptions, withUser } from './with-user.ts'

export const userSetPassword = command({
  argument: USER,
  options: {
    'password-stdin': { type: 'flag', doc: 'Read the password from standard input (required)' },
    ...userOptions,
  },
  async run(call) {
    // There is no other way, but the option is required, so that the command line says where the
    // password comes from.
    if (!call.values['password-stdin'])
      throw usageRefusal('The option --password-stdin is required.')
    await withUser(call, async (user, accounts) => {
      await accounts.run('users.setPassword', user, { password: await readPassword(call.io) })
      call.say(`${nameOf(user)} has a new password and is logged out everywhere.`, userJson(user))
    })
  },
})

export const userResetMfa = userCommand(async (call, user, accounts) => {
  const wasOn = await accounts.hasMfa(user)
  await accounts.run('users.resetMfa', user)
  const consequence = wasOn ? 'is off now, and all their devices are logged out' : 'was already off'
  call.say(`MFA of ${nameOf(user)} ${consequence}.`, userJson(user))
})

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
