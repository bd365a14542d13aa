/** The limits of docs/reliability.md. The last one is the time from the repair until every answer is good. */
const READ_MS = 2000
const WRITE_MS = 5000
const HEAL_MS = 5000
/** One second more, or what the machine needs without a fault, since a login hashes a password. */
const SLACK_MS = 1000

const HEADER = ['FAULT', 'GOOD', '503', 'OTHER', 'SLOWEST READ', 'SLOWEST WRITE', 'WELL AFTER', '']
const rows = []

export function addRow({ name, answers, brokenAt, mendedAt, readsGoOn, ...was }) {
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
    [readsGoOn && was.wasReady, 'it said that it was ready'],
    [slowest('read') > READ_MS + slack, 'a lookup took too long'],
    [slowest('write') > WRITE_MS + slack, 'a change took too long'],
    [wellAt - mendedAt > HEAL_MS + slack, 'it took too long to get well'],
  ]
  const missed = misses.filter(([isMissed]) => isMissed).map(([, words]) => words)
  const cells = [answers.length - bad.length, bad.length - others.length, others.length]
  const times = [slowest('read'), slowest('write'), wellAt - mendedAt].map(seconds)
  rows.push({ missed, cells: [name, ...cells.map(String), ...times] })
  process.stdout.write(`${name}: ${missed.length === 0 ? 'PASS' : 'FAIL'}\n`)
}

/** Returns whether everything passed. */
export function printTable() {
  const lines = [HEADER, ...rows.map(({ missed, cells }) => [...cells, verdictOn(missed)])]
  const widths = HEADER.map((_, i) => Math.max(...lines.map((line) => line[i].length)))
  process.stdout.write('\n')
  for (const line of lines) {
    process.stdout.write(
      `${line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
  return rows.every(({ missed }) => missed.length === 0)
}

const verdictOn = (missed) => (missed.length === 0 ? 'PASS' : `FAIL: ${missed.join('; ')}`)
const kindsOf = (answers) => [...new Set(answers.map(({ status }) => status))].join(', ')
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
