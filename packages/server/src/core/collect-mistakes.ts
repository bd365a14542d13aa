import { SettingsError } from '../kernel/settings-error.ts'

export type Attempt = ReturnType<typeof collectMistakes>['attempt']

/**
 * Collects the mistakes in settings that only the features can read, such as files, providers and
 * paths. Without it, each start would name only the first of them.
 */
export function collectMistakes() {
  const mistakes: string[] = []

  return {
    /** What `read` returns. If the setting is wrong, `otherwise`, with which only the check goes on. */
    attempt<T>(read: () => T, otherwise: () => T): T {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error
        mistakes.push(...error.mistakes)
        return otherwise()
      }
    },

    /** Refuses the start if there was any mistake. */
    refuse(): void {
      if (mistakes.length > 0) throw new SettingsError(mistakes)
    },
  }
}
