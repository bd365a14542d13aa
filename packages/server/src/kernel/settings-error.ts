/** The settings or options are wrong. The message lists all mistakes, one per line. */
export class SettingsError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'SettingsError'
    this.mistakes = mistakes
  }
}
