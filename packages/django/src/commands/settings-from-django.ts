import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CommandCall } from '../../../server/src/cli/command.ts'
import { faultsOfProvider } from '../../../server/src/cli/init/providers.ts'
import type { Io } from '../../../server/src/cli/io.ts'
import { writePrivateFile } from '../../../server/src/cli/write-private-file.ts'
import { counted } from '../../../server/src/kernel/texts.ts'
import { VERSION } from '../../../server/src/version.ts'
import { fromDjango } from '../settings/from-django.ts'
import { withFittingRoutes } from './fitting-routes.ts'
import { readDjangoJson } from './read-django-json.ts'

type Wish = {
  /** A file, or `-` for standard input. */
  readonly dump: string
  readonly output: string | undefined
  readonly force: boolean
}

/** The config file goes to standard output or to a file. The notes go to standard error. */
export async function convertFromDjango(
  call: CommandCall,
  { dump, output, force }: Wish,
): Promise<void> {
  const { io, json, say } = call
  const converted = fromDjango(await readDump(dump, io), faultsOfProvider)
  const { settings, count, notes } = await withFittingRoutes(converted)
  const file = output === undefined ? null : resolve(io.cwd, output)
  const config = `${JSON.stringify(settings, null, 2)}\n`
  if (file !== null) writePrivateFile(file, config, { force })

  if (!json) {
    const lines = notes.map(({ about, note }) => `${about}: ${note}\n`)
    io.stderr.write(lines.join(''))
    io.stderr.write(`${summary(count, notes.length)}\n`)
  }
  if (file === null) say(config.trimEnd(), { settings, notes })
  // The file holds secrets, so its content is not printed as well.
  else say(`Wrote ${file}`, { file, notes })
}

const summary = (count: number, notes: number): string =>
  `${counted(count, 'setting')} carried over, ${counted(notes, 'note')} to read. Latchkey ${VERSION} accepts the result.`

async function readDump(dump: string, { cwd, stdin }: Io): Promise<object> {
  if (dump === '-') return readDjangoJson('standard input', () => text(stdin))
  return readDjangoJson(dump, () => readFile(resolve(cwd, dump), 'utf8'))
}
