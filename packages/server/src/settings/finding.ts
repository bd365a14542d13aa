import type { SettingName, Settings } from './settings.ts'

/** The result of one check. It is good if there is nothing to fix. */
export type Finding = {
  readonly about: string
  readonly says: string
  /** How to fix it: "set it to true". Null if there is nothing to fix. */
  readonly mend: string | null
  /** Settings that are unsafe only because of this one, so the same change fixes them. */
  readonly also?: readonly SettingName[]
}

/** A finding with nothing to fix. */
export const good = (about: string, says: string): Finding => ({ about, says, mend: null })

/** What is wrong with a setting, and when. */
export type Check = Finding & {
  readonly about: SettingName
  readonly mend: string
  readonly applies: (settings: Settings) => boolean
  /** The setting that this default depends on. Fixing that one also fixes this one. */
  readonly cause?: SettingName
}

export const TURN_ON = 'set it to true'

/** The settings and, if it is known, where each value comes from. */
export type Loaded = {
  readonly settings: Settings
  readonly origins?: Readonly<Record<SettingName, string>>
}

/** What these checks find. A setting that is unsafe only because of another one is no finding of its own. */
export function findingsOf(checks: readonly Check[], { settings, origins }: Loaded): Finding[] {
  const found = checks.filter(({ applies }) => applies(settings))
  const follows = ({ about, cause }: Check) =>
    origins?.[about] === 'default' && found.some((other) => other.about === cause)
  const consequences = found.filter(follows)
  return found
    .filter((check) => !consequences.includes(check))
    .map(({ about, says, mend }) => {
      const also = consequences.filter(({ cause }) => cause === about)
      return { about, says, mend, ...(also.length > 0 && { also: also.map((one) => one.about) }) }
    })
}

/** For the log of the start. */
export const warningsOf = (check: Check, settings: Settings): string[] =>
  findingsOf([check], { settings }).map(({ about, says }) => `${about} ${says}.`)
