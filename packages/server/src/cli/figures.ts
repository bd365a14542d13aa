import type { ServiceFigures } from '../kernel/admin-answers.ts'
import { counted } from '../kernel/texts.ts'
import { command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { type Columns, listing } from './output.ts'
import { withOperations } from './with-operations.ts'

const columns: Columns<ServiceFigures['days'][number]> = {
  DAY: ({ day }) => day,
  'SIGN-UPS': ({ sign_ups }) => sign_ups,
  LOGINS: ({ logins }) => logins,
  FAILURES: ({ failures }) => failures,
}

/** How many users there are, and what happened on each of the last days. */
export const figures = command({
  options: settingsOptions,
  run: (call) =>
    withOperations(call, async ({ run }) => {
      const found = await run('figures.show')
      call.say(`${counted(found.users, 'user')}\n\n${listing(columns, found.days)}`, found)
    }),
})
