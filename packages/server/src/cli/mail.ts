import type { UndeliveredMail } from '../features/mail/delivery.ts'
import { isoTime } from '../kernel/clock.ts'
import { command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { table } from './output.ts'
import { refusal } from './refusal.ts'
import { withServices } from './user/with-accounts.ts'

const COUNT_MAX = 1000
const HEADER = ['ID', 'STATE', 'TO', 'LETTER', 'TRIES', 'POSTED', 'NEXT TRY']

export const mailList = command({
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ delivery }) => {
      const mails = (await delivery.listUndelivered(COUNT_MAX)).map(mailJson)
      const rows = mails.map((mail) => Object.values(mail).map((value) => String(value ?? '-')))
      call.say(table([HEADER, ...rows]).trimEnd(), mails)
    }),
})

const mailJson = ({ id, state, to, template, attempts, postedAt, dueAt }: UndeliveredMail) => ({
  id,
  state,
  to,
  letter: template,
  tries: attempts,
  posted: isoTime(postedAt),
  next_try: state === 'dead' ? null : isoTime(dueAt),
})

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
