import type { Settings } from '../settings.ts'
import { checks, type Finding } from './deploy-checks.ts'

/** Every choice that is unsafe in production. */
export const deployFindings = (settings: Settings): readonly Finding[] =>
  checks
    .filter(({ unsafe }) => unsafe(settings))
    .map(({ setting, finding, mend }) => ({ setting, finding, mend }))
