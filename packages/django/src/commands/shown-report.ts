import { table } from '../../../server/src/cli/output.ts'
import type { Report } from '../import/report.ts'

const WORDS: Readonly<Record<string, string>> = {
  added: 'Users imported',
  updated: 'Users updated',
  unchanged: 'Users unchanged since the last import',
  removed: 'Users deleted, as in the project',
  token: 'API tokens',
  mfa: 'Authenticator apps',
  passkeys: 'Users with passkeys',
  social: 'Users with social accounts',
  sessions: 'Sessions',
  blacklisted: 'Blacklisted refresh tokens',
}

/** The text is for people, and lists only the first findings. */
const LISTED = 100

export const DRY_RUN = 'A dry run: nothing was changed.'

/** A line for each word, with its number. */
export const countsTable = (
  words: Readonly<Record<string, string>>,
  counts: Readonly<Record<string, number>>,
): string =>
  table(Object.entries(words).map(([name, word]) => [word, String(counts[name] ?? 0)])).trimEnd()

/** The report of an import, for people and for programs. */
export function shownReport(report: Report, notes: readonly string[], isDry: boolean) {
  const { counts, lost, kept, findings, isResumed, isDone } = report
  const lines = findings
    .slice(0, LISTED)
    .map(({ kind, pk, what, why }) => `${kind}  ${pk}  ${what}: ${why}`)
  const more = lost + kept - lines.length
  const text = [
    ...(isDry ? [DRY_RUN] : []),
    ...(isResumed ? ['Continued the import that was interrupted.'] : []),
    ...(isResumed && isDone ? ['Went over everything once more, for what has changed since.'] : []),
    countsTable(WORDS, counts),
    '',
    `${lost} could not be imported, ${kept} kept as they are here.`,
    ...lines,
    ...(more > 0 ? [`… and ${more} more; --json lists them.`] : []),
    ...notes,
  ].join('\n')
  const data = {
    dry_run: isDry,
    resumed: isResumed,
    done: isDone,
    counts,
    lost,
    kept,
    findings,
    notes,
  }
  return { text, data }
}
