/** The limits of docs/proofs.md. The last one is the time from the repair until every answer is good. */
const READ_MS = 2000
const WRITE_MS = 5000
const HEAL_MS = 5000
/** One second more, or what the machine needs without a fault, since a login hashes a password. */
const SLACK_MS = 1000

/** Figures of one outage, and what was not as it must be. */
export function judgeOutage({ answers, brokenAt, mendedAt, readsGoOn, staysReady, ...was }) {
  const slowest = (kind, among = answers) =>
    Math.max(0, ...among.filter((a) => a.kind === kind).map(({ ms }) => ms))
  const before = answers.filter(({ startedAt, ms }) => startedAt + ms < brokenAt)
  const slack = Math.max(SLACK_MS, slowest('write', before))
  const bad = answers.filter(({ status }) => status !== 200)
  const others = bad.filter(({ status }) => status !== 503)
  const wellAt = Math.max(mendedAt, ...bad.map(({ startedAt, ms }) => startedAt + ms))
  const isReadBad = ({ kind, startedAt }) => kind === 'read' && startedAt > brokenAt

  const misses = [
    [!was.isAlive, 'the process has ended'],
    [!was.isWell, 'it did not get well'],
    [!was.isReady, 'it is not ready in the end'],
    [others.length > 0, `answers that are neither good nor 503: ${kindsOf(others)}`],
    [readsGoOn && bad.some(isReadBad), 'reads did not go on'],
    [!staysReady && was.wasReady, 'it said that it was ready'],
    [slowest('read') > READ_MS + slack, 'a lookup took too long'],
    [slowest('write') > WRITE_MS + slack, 'a change took too long'],
    [wellAt - mendedAt > HEAL_MS + slack, 'it took too long to get well'],
  ]
  return {
    good: answers.length - bad.length,
    unavailable: bad.length - others.length,
    others: others.length,
    slowestReadMs: Math.round(slowest('read')),
    slowestWriteMs: Math.round(slowest('write')),
    wellAfterMs: Math.round(wellAt - mendedAt),
    missed: misses.filter(([isMissed]) => isMissed).map(([, words]) => words),
  }
}

const kindsOf = (answers) => [...new Set(answers.map(({ status }) => status))].join(', ')
