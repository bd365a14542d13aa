/** All mistakes in the settings, one per line. */
export class SettingsError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'SettingsError'
    this.mistakes = mistakes
  }
}
