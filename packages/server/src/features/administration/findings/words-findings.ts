import type { Settings } from '../../../settings/settings.ts'
import { inspectFolder, isShipped } from '../../../settings/words-files.ts'
import type { Finding } from './finding.ts'

/** Enough to find the others. */
const NAMED = 10

/** Words that a language of the deployment lacks. A language of the package has all of them. */
export function wordsFindings({ WORDS_DIR }: Settings): Finding[] {
  if (WORDS_DIR === null) return []
  const own = inspectFolder(WORDS_DIR).filter(({ code }) => !isShipped(code))
  return own.map(({ code, missing }) => {
    const about = `words in ${code}`
    if (missing.length === 0) return { about, says: 'are complete', mend: null }
    const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
    return {
      about,
      says: `are missing, so English is used: ${missing.slice(0, NAMED).join(', ')}${more}`,
      mend: `add them to ${code}.json in WORDS_DIR`,
    }
  })
}
