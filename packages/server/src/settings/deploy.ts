import type { Check } from './deploy-checks/check.ts'
import { guesses } from './deploy-checks/guesses.ts'
import { inTheClear } from './deploy-checks/in-the-clear.ts'
import { keys } from './deploy-checks/keys.ts'
import { logins } from './deploy-checks/logins.ts'
import { strangers } from './deploy-checks/strangers.ts'
import type { LoadedSettings } from './resolve.ts'
import type { SettingName } from './settings.ts'

const checks: readonly Check[] = [...inTheClear, ...keys, ...logins, ...strangers, ...guesses]

export type DeployFinding = Pick<Check, 'setting' | 'finding' | 'mend'> & {
  /** Settings that are unsafe only because of this one. */
  readonly also: readonly SettingName[]
}

/** Every setting that is unsafe in production. Settings with the same cause are one finding. */
export function deployFindings({
  settings,
  origins,
}: Pick<LoadedSettings, 'settings'> & Partial<LoadedSettings>): readonly DeployFinding[] {
  const found = checks.filter(({ unsafe }) => unsafe(settings))
  const follows = ({ setting, cause }: Check) =>
    origins?.[setting] === 'default' && found.some((other) => other.setting === cause)
  const consequences = found.filter(follows)
  return found
    .filter((check) => !consequences.includes(check))
    .map(({ setting, finding, mend }) => {
      const also = consequences.filter(({ cause }) => cause === setting)
      return { setting, finding, mend, also: also.map((check) => check.setting) }
    })
}
