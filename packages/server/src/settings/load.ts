import { readConfigFile } from './config-file.ts'
import { entries } from './names.ts'
import { type LoadedSettings, resolveSource } from './resolve.ts'
import type { SettingsInput } from './settings-input.ts'
import {
  type Environment,
  fromCommandLine,
  fromEnvironment,
  fromObject,
  type Source,
} from './sources.ts'

export type SettingsSources = {
  /** The config file that the command line names. */
  readonly file?: string | undefined
  readonly env: Environment
  /** The values of `--set`, each `NAME=value`. */
  readonly sets: readonly string[]
  readonly cwd: string
}

/** The settings from all sources. Later ones win: defaults, config file, environment, `--set`. */
export const loadSettings = async (sources: SettingsSources): Promise<LoadedSettings> =>
  resolveSource(await gather(sources))

/** The same as an object in the shape of the config file, without the defaults. */
export async function loadInput(sources: SettingsSources): Promise<SettingsInput> {
  const source = await gather(sources)
  resolveSource(source)
  const given = entries.filter(({ name }) => source.given.has(name))
  const valuesIn = (wanted: string | null) =>
    given
      .filter(({ group }) => group === wanted)
      .map(({ key, name }) => [key, source.given.get(name)?.raw] as const)
  const groups = new Set(given.flatMap(({ group }) => group ?? []))
  // Every value was accepted above, although the environment writes all of them as text.
  return Object.fromEntries([
    ...valuesIn(null),
    ...[...groups].map((group) => [group, Object.fromEntries(valuesIn(group))] as const),
  ]) as SettingsInput
}

async function gather({ file, env, sets, cwd }: SettingsSources): Promise<Source> {
  // An empty variable counts as none, as everywhere in the environment.
  const inFile = await fromConfigFile(file ?? (env.LATCHKEY_CONFIG || undefined), cwd)
  const inEnvironment = fromEnvironment(env)
  const before = new Map([...inFile.given, ...inEnvironment.given])
  const { given, mistakes } = fromCommandLine(sets, before)
  return { given, mistakes: [...inFile.mistakes, ...inEnvironment.mistakes, ...mistakes] }
}

async function fromConfigFile(asked: string | undefined, cwd: string): Promise<Source> {
  const file = await readConfigFile(asked, cwd)
  if (!file) return { given: new Map(), mistakes: [] }
  if ('mistake' in file) return { given: new Map(), mistakes: [file.mistake] }
  return fromObject(file.object, file.where)
}
