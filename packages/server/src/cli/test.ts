import { SECOND } from '../kernel/clock.ts'
import { read } from '../kernel/setting-kinds/kind.ts'
import { integer } from '../kernel/setting-kinds/scalars.ts'
import { loadInput } from '../settings/load.ts'
import { command } from './command.ts'
import { settingsOptions } from './load-settings.ts'
import { refusal, usageRefusal } from './refusal.ts'

/** The process ends after this time, even if something is still running: nothing is kept anyway. */
const END_WITHIN = SECOND

const port = integer(0, 65_535)

export const test = command({
  options: {
    ...settingsOptions,
    seed: {
      type: 'optional',
      placeholder: '<file>',
      doc: 'Start with the users of this JSON file: {"users": [{"username": "ada"}]}',
    },
    port: {
      type: 'optional',
      placeholder: '<number>',
      doc: 'Listen on this port; without it, the system chooses a free one',
    },
  },
  async run({ values, io }) {
    const at = read(port, values.port ?? '0')
    if (at === undefined) throw usageRefusal(`--port: expected ${port.expected}.`)
    const { runTestService } = await loadTestService()
    const { env, cwd } = io
    const settings = await loadInput({ file: values.config, env, sets: values.set, cwd })
    const { stop, ...addresses } = await runTestService({
      settings,
      seed: values.seed === undefined ? [] : { file: values.seed },
      port: at,
      isProduction: env.NODE_ENV === 'production',
      cwd,
    }).catch((error: unknown) => {
      throw error instanceof Error && 'status' in error ? refusal(error.message) : error
    })
    const ended = new Promise<void>((resolve) => {
      io.onSignal(resolve)
      io.onParentGone(resolve)
    })
    io.stdout.write(`${JSON.stringify(addresses)}\n`)
    await ended
    setTimeout(() => io.exit(0), END_WITHIN).unref()
    await stop()
  },
})

/** The first is of a file that `launch.ts` loads. */
const MISSING = ['ENOENT', 'ERR_MODULE_NOT_FOUND']

/** A production image may leave the test service out. */
async function loadTestService() {
  try {
    return await import('../testing/run.ts')
  } catch (error) {
    if (!MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw refusal('This installation has no test service. For tests, install the whole package.')
  }
}
