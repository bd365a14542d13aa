import type { ServiceFigures } from '../kernel/admin-answers.ts'
import { counted } from '../kernel/texts.ts'
import { listing } from './output.ts'
import { operationCommand } from './with-operations.ts'

/** How many users there are, and what happened on each of the last days. */
export const figures = operationCommand({}, async (call, { run }) => {
  const found = await run('figures.show')
  const columns = {
    DAY: ({ day }: Day) => day,
    'SIGN-UPS': ({ sign_ups }: Day) => sign_ups,
    LOGINS: ({ logins }: Day) => logins,
    FAILURES: ({ failures }: Day) => failures,
  }
  call.say(`${counted(found.users, 'user')}\n\n${listing(columns, found.days)}`, found)
})

type Day = ServiceFigures['days'][number]
