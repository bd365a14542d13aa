/**
 * Settings whose values cannot be used, a line for each, which begins with the name. For readers below
 * the settings, which cannot throw a `SettingsError`.
 */
export class WrongSetting extends Error {
  readonly mistakes: readonly string[]

  constructor(...mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
