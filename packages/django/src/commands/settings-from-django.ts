import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CommandCall } from '../../../server/src/cli/command.ts'
import type { Io } from '../../../server/src/cli/io.ts'
import { refusal } from '../../../server/src/cli/refusal.ts'
import { writePrivateFile } from '../../../server/src/cli/write-private-file.ts'
import { configureProviders } from '../../../server/src/features/social/configuration/configure-providers.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import { firstLine } from '../../../server/src/kernel/texts.ts'
import { readJson } from '../../../server/src/settings/config-file.ts'
import { SettingsError } from '../../../server/src/settings/settings-error.ts'
import { VERSION } from '../../../server/src/version.ts'
import { fromDjango } from '../settings/from-django.ts'
import { RECIPE } from '../settings/recipe.ts'
import { withFittingRoutes } from './fitting-routes.ts'

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
  const converted = fromDjango(await readObject(dump, io), faultsOfProvider)
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

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

async function readObject(dump: string, io: Io): Promise<object> {
  const name = dump === '-' ? 'standard input' : dump
  const given = await readDump(dump, io)
  const parsed = readJson(given)
  if ('mistake' in parsed) throw refusal(`${name}: ${whatElse(given) ?? parsed.mistake}`)
  if (!isObject(parsed.value)) throw refusal(`${name}: must be an object with Django settings`)
  return parsed.value
}

/** Null if the text is JSON with a mistake in it. */
function whatElse(given: string): string | null {
  const lines = given.split(/\r?\n/)
  const isDump = (line: string) => {
    const parsed = readJson(line)
    return 'value' in parsed && isObject(parsed.value)
  }
  const says = /^\s*(?:import\s|from\s+\S+\s+import\s|[A-Z][A-Z0-9_]*\s*(?::[^=]+)?=)/m.test(given)
    ? 'is Python source, which only Django can read'
    : lines.some(isDump)
      ? 'has other lines besides the JSON'
      : null
  return says && `${says}. Make the dump with this, in the folder of manage.py:\n\n${RECIPE}`
}

async function readDump(dump: string, { cwd, stdin }: Io): Promise<string> {
  try {
    return dump === '-' ? await text(stdin) : await readFile(resolve(cwd, dump), 'utf8')
  } catch (error) {
    throw refusal(`${dump}: cannot be read (${firstLine(error)})`)
  }
}

/** The mistakes that a start with this provider would report. */
function faultsOfProvider(id: string, block: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    configureProviders({ [id]: block })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}
