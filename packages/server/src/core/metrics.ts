import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { RequestDurations } from './request-durations.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** All metrics of a process as data. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
type Measured = Snapshot[number]

/** What became of a mail, or of an event for one receiver. */
type DeliveryOutcome = 'queued' | 'sent' | 'failed' | 'dead'

/** What operators see by day. */
export type Figures = { sign_ups: number; logins: number; failures: number }

const NOTHING: Figures = { sign_ups: 0, logins: 0, failures: 0 }

/** A number that every process reads from the same database, so it must not be added up. */
const OF_THE_DATABASE = 'max'

/** The numbers behind `/metrics`. Labels are routes and outcomes, never values from a client. */
export function createMetrics() {
  const registry = new Registry()
  const requests = new RequestDurations(registry)
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `latchkey_${name}_total`, help, labelNames, registers: [registry] })
  const databaseGauge = (name: string, help: string) =>
    new Gauge({
      name: `latchkey_${name}`,
      help,
      aggregator: OF_THE_DATABASE,
      registers: [registry],
    })

  let figures = { ...NOTHING }
  const logins = counter('logins', 'Attempts to log in, by outcome', 'outcome')
  const mails = counter(
    'mails',
    'Mails by what became of them: queued, sent, failed (and tried again), dead (given up)',
    'outcome',
  )
  const waitingMails = databaseGauge('mails_waiting', 'Mails in the outbox that are not sent yet')
  const events = counter(
    'events',
    'Events for hooks and webhooks, one per receiver, by what became of them: queued, sent, failed (and tried again), dead (given up)',
    'outcome',
  )
  const waitingEvents = databaseGauge(
    'events_waiting',
    'Events that hooks and webhooks do not have yet, one per receiver',
  )
  const endedLogins = counter(
    'logins_ended',
    'Requests to end logins, by what was ended: one, or all others',
    'ended',
  )
  const reauthentications = counter(
    'reauthentications',
    'Attempts of signed-in users to prove again who they are, by outcome',
    'outcome',
  )
  const newDevices = counter(
    'new_devices',
    'Logins from a device that the user had not used before, with NEW_DEVICE_MAIL',
  )
  const deletions = counter('account_deletions', 'Accounts that were deleted')
  const exports = counter('account_exports', 'Exports of what is known about a user')
  const swept = counter('swept_rows', 'Rows that had expired and were deleted, by table', 'table')

  return {
    /** Adds metrics of the whole process. Only the server calls this, once. */
    collectProcess: () => collectDefaultMetrics({ register: registry }),
    requestSeries: requests.series.bind(requests),
    countLogin(outcome: 'success' | 'failure') {
      logins.inc({ outcome })
      figures[outcome === 'success' ? 'logins' : 'failures'] += 1
    },
    countSignUp() {
      figures.sign_ups += 1
    },
    /** What was counted since the last call. */
    takeFigures(): Figures {
      const taken = figures
      figures = { ...NOTHING }
      return taken
    },
    countEndedLogins: (ended: 'one' | 'others') => endedLogins.inc({ ended }),
    countReauthentication: (outcome: 'success' | 'failure') => reauthentications.inc({ outcome }),
    countNewDevice: () => newDevices.inc(),
    countMail: (outcome: DeliveryOutcome) => mails.inc({ outcome }),
    setWaitingMails: (count: number) => waitingMails.set(count),
    countEvent: (outcome: DeliveryOutcome) => events.inc({ outcome }),
    setWaitingEvents: (count: number) => waitingEvents.set(count),
    countDeletion: () => deletions.inc(),
    countExport: () => exports.inc(),
    countSwept: (table: string, rows: number) => swept.inc({ table }, rows),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    /** The same as data, for the process that adds up those of a team. */
    async snapshot(worker: number): Promise<Snapshot> {
      const metrics = await registry.getMetricsAsJSON()
      return metrics.map((metric) => (isOfProcess(metric) ? labelled(metric, worker) : metric))
    },
  }
}

/** The type is a word, although `prom-client` declares it as a number. */
const isOfProcess = ({ type, aggregator }: Measured): boolean =>
  String(type) === 'gauge' && aggregator !== OF_THE_DATABASE

/** With its own label, a gauge is never added to that of another process. */
const labelled = (gauge: Measured, worker: number): Measured => ({
  ...gauge,
  aggregator: 'first',
  values: gauge.values.map((one) => ({ ...one, labels: { ...one.labels, worker } })),
})
