import { guesses } from './deploy-checks/guesses.ts'
import { inTheClear } from './deploy-checks/in-the-clear.ts'
import { keys } from './deploy-checks/keys.ts'
import { logins } from './deploy-checks/logins.ts'
import { strangers } from './deploy-checks/strangers.ts'
import type { Check } from './finding.ts'

/** Choices that are fine on the machine of a developer and unsafe in production. */
export const deployChecks: readonly Check[] = [
  ...inTheClear,
  ...keys,
  ...logins,
  ...strangers,
  ...guesses,
]
