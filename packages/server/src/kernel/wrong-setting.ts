/**
 * Settings whose values cannot be used. Each mistake is one line that begins with the name of the
 * setting. For readers below the settings, which cannot throw a `SettingsError`.
 */
export class WrongSetting extends Error {
  readonly mistakes: readonly string[]

  constructor(...mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
