import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDeployment } from '../parts/deployments.js'
import { expiredBefore } from '../soak/expired.js'
import { slopeOf } from '../soak/slope.js'
import { startSteadyLoad } from '../soak/steady-load.js'

const DEPLOYMENTS = ['SQLite, 1 instance', 'PostgreSQL, 1 instance']
const MINUTES = { full: 30, small: 1 }
const RATE = 200
const RESIDENTS = 50
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SAMPLES_PER_MINUTE = 4
const MB = 2 ** 20

/** Memory counts from here on, as a part of the run: caches fill, and code is compiled, before. */
const WARM_UP = 1 / 3
/**
 * A shorter run cannot tell a megabyte in an hour from chance, so it only finds what grows with every request. Nor does
 * it judge how many requests the machine can send.
 */
const EXACT_FROM_MINUTES = 20
const SLOPE_MAX = { exact: 1, rough: 400 }
/** SQLite writes its journal back from 4 MB on, as soon as nobody reads. */
const JOURNAL_MAX_MB = 16
/** Sweeps come at most twelve minutes apart, and the first at most a minute after the start. */
const SWEEP_MS = 13 * MINUTE_MS
const FIRST_SWEEP_MS = 90_000

const LIMIT = '50/10s/key,50/10s/ip'
/** Everything that may expire soon does so. */
const SETTINGS = {
  SESSION_COOKIE_AGE: '30s',
  SIMPLE_JWT_REFRESH_TOKEN_LIFETIME: '30s',
  SIMPLE_JWT_ACCESS_TOKEN_LIFETIME: '30s',
  ACCOUNT_LOGIN_BY_CODE_TIMEOUT: '30s',
  ACCOUNT_RATE_LIMITS: JSON.stringify({
    ...{ login_failed: LIMIT, reset_mail: LIMIT, code_mail: LIMIT, notice_mail: '50/10s/key' },
    ...{ signup: '50/10s/ip', passkey_begin: '50/10s/ip', social: '50/10s/ip' },
  }),
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('../soak/memory-probe.js', import.meta.url))}`,
}

export const soak = {
  name: 'soak',
  shows:
    'half an hour of mixed load at 200 a second: memory is flat, tables are swept, the journal is bounded',
  needs: [],
  broken: [
    {
      why: 'every request leaves something behind',
      file: 'src/core/request-durations.ts',
      from: 'this.#sum += seconds',
      to: 'this.#sum += seconds; ((globalThis as any).kept ??= []).push(new Array(2048).fill(seconds))',
    },
    {
      why: 'expired rows stay',
      file: 'src/core/sweep.ts',
      from: 'deleteOldest(db, sweep, clock.now() - (sweep.keepFor ?? 0), BATCH)',
      to: 'deleteOldest(db, sweep, 0, BATCH)',
    },
    {
      why: 'the journal is never written back',
      file: 'src/storage/connect-sqlite.ts',
      // Deletions run this statement. It now switches SQLite's own checkpoints off instead of emptying the journal.
      from: "'PRAGMA wal_checkpoint(TRUNCATE)'",
      to: "'PRAGMA wal_autocheckpoint = 0'",
    },
  ],

  async run(options) {
    const { size, minutes = MINUTES[size] } = options
    const results = await Promise.all(
      DEPLOYMENTS.map((name) => soakDeployment(name, minutes, options)),
    )
    return {
      held: results.every(({ faults }) => faults.length === 0),
      figure: `${minutes} minutes; ${results.map(wordsOf).join('; ')}`,
      details: Object.fromEntries(results.map((result) => [result.name, result])),
    }
  },
}

async function soakDeployment(name, minutes, options) {
  const { folder, say } = options
  const probe = join(folder, `memory ${name}`)
  const settings = { ...SETTINGS, MEMORY_PROBE: probe }
  const deployment = await startDeployment(name, options, settings)
  const { people, postgres, instances } = deployment
  const file = join(deployment.folder, 'latchkey.db')
  const residents = await people.many(RESIDENTS, people.create)
  const world = { people, residents, careful: await people.withTotp() }

  const startedAt = Date.now()
  const load = startSteadyLoad(world, RATE)
  let journal = 0
  for (let sample = 1; sample <= minutes * SAMPLES_PER_MINUTE; sample++) {
    await setTimeout(MINUTE_MS / SAMPLES_PER_MINUTE)
    process.kill(instances[0].pid, 'SIGUSR2')
    if (!postgres) journal = Math.max(journal, (await stat(`${file}-wal`)).size)
    if (sample % 20 === 0) say(`${name}: ${load.sent()} requests`)
  }
  const { sent, perSecond, unexpected } = await load.stop()
  const samples = (await readFile(probe, 'utf8')).trim().split('\n').map(numbersOf)
  const warm = samples.filter(([at]) => at > startedAt + WARM_UP * minutes * MINUTE_MS)
  const unswept = await expiredBefore(Date.now() - SWEEP_MS, { postgres, file })
  const swept = await restart(deployment, { postgres, file })

  const result = {
    ...{ name, minutes, sent, perSecond, unexpected: unexpected.length },
    ...{ memoryMbPerHour: growthOf(warm, 1), residentMbPerHour: growthOf(warm, 2) },
    withCodeMbPerHour: growthOf(warm, 3),
    ...{ journalMb: round(journal / MB), unswept, ...swept, samples },
    examples: unexpected.slice(0, 20),
  }
  return { ...result, faults: faultsOf(result) }
}

/** A run of any length sees a sweep in this way: a new process sweeps within a minute. */
async function restart({ instances, beside }, where) {
  await instances[0].stop()
  const startedAt = Date.now()
  const expired = await expiredBefore(startedAt, where)
  await beside({}, 1)
  let left = expired
  while (Object.keys(left).length > 0 && Date.now() < startedAt + FIRST_SWEEP_MS) {
    await setTimeout(1000)
    left = await expiredBefore(startedAt, where)
  }
  return { expired, left }
}

function faultsOf({ minutes, perSecond, unexpected, memoryMbPerHour, journalMb, ...rows }) {
  const slopeMax = minutes < EXACT_FROM_MINUTES ? SLOPE_MAX.rough : SLOPE_MAX.exact
  return [
    unexpected > 0 && `${unexpected} unexpected answers`,
    minutes >= EXACT_FROM_MINUTES &&
      perSecond < 0.95 * RATE &&
      `only ${perSecond} requests a second`,
    memoryMbPerHour > slopeMax && 'memory grows',
    journalMb > JOURNAL_MAX_MB && 'the journal grows',
    Object.keys(rows.expired).length === 0 && 'nothing has expired, so a sweep shows nothing',
    ...Object.entries({ ...rows.unswept, ...rows.left }).map(
      ([table, count]) => `${count} expired rows of ${table} stay`,
    ),
  ].filter(Boolean)
}

function wordsOf(result) {
  const { name, perSecond, unexpected, memoryMbPerHour, withCodeMbPerHour } = result
  const { journalMb, expired, faults } = result
  const journal = journalMb > 0 ? `, journal at most ${journalMb} MB` : ''
  const figures = `${perSecond} requests/s, ${unexpected} unexpected answers, memory ${memoryMbPerHour} MB/h (with compiled code ${withCodeMbPerHour})${journal}, ${Object.keys(expired).length} tables swept`
  return `${name}: ${[figures, ...faults].join(', ')}`
}

const growthOf = (samples, column) =>
  round((slopeOf(samples.map((sample) => [sample[0], sample[column]])) * HOUR_MS) / MB)
const numbersOf = (line) => line.split(' ').map(Number)
const round = (number) => Math.round(100 * number) / 100
