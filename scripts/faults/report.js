/** The bounds of docs/reliability.md, and a second for a machine that has other things to do. */
const SLACK_MS = 1000
const READ_MS = 2000 + SLACK_MS
const WRITE_MS = 5000 + SLACK_MS
/** From the repair to the first moment after which every answer is good. */
const HEAL_MS = 5000 + SLACK_MS

const HEADER = ['FAULT', 'GOOD', '503', 'OTHER', 'SLOWEST READ', 'SLOWEST WRITE', 'WELL AFTER', '']
const rows = []

export function addRow({ name, answers, brokenAt, mendedAt, readsGoOn, ...was }) {
  const ofKind = (kind) => answers.filter((a) => a.kind === kind)
  const slowest = (kind) => Math.max(0, ...ofKind(kind).map(({ ms }) => ms))
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
    [slowest('read') > READ_MS, 'a lookup took too long'],
    [slowest('write') > WRITE_MS, 'a change took too long'],
    [wellAt - mendedAt > HEAL_MS, 'it took too long to get well'],
  ]
  const missed = misses.filter(([isMissed]) => isMissed).map(([, words]) => words)
  const cells = [answers.length - bad.length, bad.length - others.length, others.length]
  const times = [slowest('read'), slowest('write'), wellAt - mendedAt].map(seconds)
  rows.push({ missed, cells: [name, ...cells.map(String), ...times] })
  process.stdout.write(`${name}: ${missed.length === 0 ? 'PASS' : 'FAIL'}\n`)
}

/** Tells whether everything passed. */
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
