import { counted } from '../../kernel/texts.ts'
import { command } from '../command.ts'
import { stopping } from '../io.ts'
import { settingsOptions } from '../load-settings.ts'
import { withServices } from '../open-service.ts'
import { progressOf } from '../output.ts'
import { refusal } from '../refusal.ts'

export const keysReseal = command({
  options: settingsOptions,
  run: (call) =>
    withServices(call, async ({ reseal }) => {
      const isStopping = stopping(call)
      const progress = progressOf('Sealed again', await reseal.countOutdated(), call.io)
      const { resealed, unreadable, isDone } = await reseal.run(progress.at, isStopping)
      progress.end()

      const lost = Object.entries(unreadable)
      const left = await reseal.countOutdated()
      call.say(
        [
          `${counted(resealed, 'value is', 'values are')} sealed with SECRET_KEY now.`,
          ...lost.map(([table, count]) => `${count} in ${table} cannot be opened with any key.`),
          ...(left === 0 ? ['SECRET_KEY_FALLBACKS is no longer needed; you can remove it.'] : []),
        ].join('\n'),
        { resealed, unreadable, left, done: isDone },
      )
      if (!isDone)
        throw refusal(`Stopped with ${left} left. Run the same command again to continue.`)
      if (lost.length > 0)
        throw refusal(
          'Some values cannot be opened. Check whether SECRET_KEY_FALLBACKS lists all former keys.',
        )
    }),
})
