import type { Check } from './check.ts'
import { inTheClear } from './in-the-clear.ts'
import { keys } from './keys.ts'
import { logins } from './logins.ts'
import { strangers } from './strangers.ts'

export const checks: readonly Check[] = [...inTheClear, ...keys, ...logins, ...strangers]
