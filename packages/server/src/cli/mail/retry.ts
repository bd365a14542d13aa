import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { refusal } from '../refusal.ts'
import { withServices } from '../user/with-accounts.ts'

const ALL = 'all'

export const mailRetry = command({
  argument: { placeholder: '<id>', doc: 'an id of "mail list", or all' },
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ delivery }) => {
      const id = call.argument === ALL ? null : call.argument
      const count = await delivery.retry(id)
      if (id !== null && count === 0) throw refusal(`No mail "${id}" waits to be delivered.`)
      call.say(`${count} ${count === 1 ? 'mail is' : 'mails are'} due.`, { due: count })
    }),
})
