import { createInterface } from 'node:readline'
import { command } from '../command.ts'
import type { Io } from '../io.ts'
import { refusal } from '../refusal.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userDelete = command({
  name: 'user delete',
  summary: 'Delete a user and all that belongs to the account',
  argument: USER,
  options: { yes: { type: 'flag', doc: 'Do not ask' }, ...userOptions },
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const isSure = call.values.yes || (await asks(`Delete ${nameOf(user)}? [y/N] `, call.io))
      if (!isSure) throw refusal('Nothing was deleted.')
      await accounts.remove(user)
      call.say(`${nameOf(user)} is deleted.`, userJson(user))
    }),
})

async function asks(question: string, { stdin, stderr }: Io): Promise<boolean> {
  // The question is no part of the answer, which may go to a file.
  stderr.write(question)
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
  } finally {
    lines.close()
  }
  if (stdin.isTTY) return false
  throw refusal('There is nobody to ask; --yes deletes without asking.')
}
