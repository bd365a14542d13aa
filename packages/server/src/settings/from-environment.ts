import type { Given, Source } from './given.ts'
import { unknownName } from './mistakes.ts'
import { entries, groupNames } from './names.ts'
import type { SettingName } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const byVariable = new Map(entries.map((entry) => [entry.env, entry]))

/**
 * Settings from environment variables. A variable that begins with the name of a group but is no
 * setting is a mistake. All other variables belong to other programs. An empty variable counts as
 * not set.
 */
export function fromEnvironment(env: Environment): Source {
  const given = new Map<SettingName, Given>()
  const mistakes: string[] = []
  for (const [variable, raw] of Object.entries(env)) {
    if (!raw) continue
    const entry = byVariable.get(variable)
    if (entry) given.set(entry.name, { raw, origin: 'environment', where: 'environment' })
    else if (groupNames.some((group) => variable.startsWith(`${group}_`))) {
      mistakes.push(unknownName(variable, 'environment'))
    }
  }
  return { given, mistakes }
}
