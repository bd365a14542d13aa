import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { refusal } from '../refusal.ts'
import { withServices } from '../user/with-accounts.ts'

const ALL = 'all'

export const mailRetry = command({
  argument: { placeholder: '<id>', doc: 'an id from "mail list", or all' },
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ delivery }) => {
      const id = call.argument === ALL ? null : call.argument
      const count = await delivery.retry(id)
      if (id !== null && count === 0) throw refusal(`There is no undelivered mail "${id}".`)
      call.say(`The service sends ${count} ${count === 1 ? 'mail' : 'mails'} now.`, { due: count })
    }),
})
