import { resolve } from 'node:path'
import { pkOf } from '../../core/identity.ts'
import { serialiserOf } from '../../http/serialise.ts'
import { command } from '../command.ts'
import { usageRefusal } from '../refusal.ts'
import { nameOf, reasonOption } from '../with-operations.ts'
import { writePrivateFile } from '../write-private-file.ts'
import { USER, userOptions, withUser } from './with-user.ts'

export const userExport = command({
  argument: USER,
  options: {
    output: {
      type: 'optional',
      placeholder: '<file>',
      doc: 'Write to this file, which only you can read, instead of printing',
    },
    force: { type: 'flag', doc: 'With --output: replace an existing file' },
    ...reasonOption,
    ...userOptions,
  },
  async run(call) {
    const { output, force } = call.values
    if (force && output === undefined) throw usageRefusal('--force needs --output.')
    await withUser(call, async (user, operations) => {
      const known = await operations.run('users.export', user)
      // The same form as over HTTP. Whatever the schema does not name is left out.
      const shown: unknown = JSON.parse(serialiserOf(operations.services.dossier.schema)(known))
      const text = JSON.stringify(shown, null, 2)
      if (output === undefined) {
        call.say(text, shown)
        return
      }
      const file = resolve(call.io.cwd, output)
      writePrivateFile(file, `${text}\n`, { force })
      call.say(`${nameOf(user)} is exported to ${file}.`, { pk: pkOf(user), file })
    })
  },
})
