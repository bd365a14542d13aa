import { readConfigFile } from './config-file.ts'
import { fromCommandLine } from './from-command-line.ts'
import { type Environment, fromEnvironment } from './from-environment.ts'
import { fromObject } from './from-object.ts'
import type { Source } from './given.ts'
import { type LoadedSettings, resolveSource } from './resolve.ts'

export type SettingsSources = {
  /** The config file that the command line names. */
  readonly file?: string | undefined
  readonly env: Environment
  /** The values of `--set`, each `NAME=value`. */
  readonly sets: readonly string[]
  readonly cwd: string
}

/** The settings from all sources. Later ones win: defaults, config file, environment, `--set`. */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { file, env, sets, cwd } = sources
  const inFile = await fromConfigFile(file ?? env.LATCHKEY_CONFIG, cwd)
  const inEnvironment = fromEnvironment(env)
  const before = new Map([...inFile.given, ...inEnvironment.given])
  const { given, mistakes } = fromCommandLine(sets, before)
  return resolveSource({
    given,
    mistakes: [...inFile.mistakes, ...inEnvironment.mistakes, ...mistakes],
  })
}

async function fromConfigFile(asked: string | undefined, cwd: string): Promise<Source> {
  const file = await readConfigFile(asked, cwd)
  if (!file) return { given: new Map(), mistakes: [] }
  if ('mistake' in file) return { given: new Map(), mistakes: [file.mistake] }
  return fromObject(file.object, file.where)
}
