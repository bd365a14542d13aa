import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { refusal } from '../refusal.ts'
import { withServices } from '../user/with-accounts.ts'

const ALL = 'all'

export const webhooksRetry = command({
  argument: { placeholder: '<id>', doc: 'an id from "webhooks list", or all' },
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ deliveries }) => {
      const id = call.argument === ALL ? null : call.argument
      const count = await deliveries.retry(id)
      if (id !== null && count === 0) throw refusal(`There is no undelivered event "${id}".`)
      call.say(`The service delivers ${count} ${count === 1 ? 'event' : 'events'} now.`, {
        due: count,
      })
    }),
})
