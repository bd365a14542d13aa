import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export type RequestSeries = { observe(seconds: number): void }

/** What became of a mail, or of an event for one receiver. */
export type DeliveryOutcome = 'queued' | 'sent' | 'failed' | 'dead'

const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/**
 * The numbers behind `/metrics`. Labels are routes and outcomes, never values that a client sends.
 */
export function createMetrics() {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  const logins = new Counter({
    name: 'latchkey_logins_total',
    help: 'Attempts to log in, by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })

  const mails = new Counter({
    name: 'latchkey_mails_total',
    help: 'Mails by what became of them: queued, sent, failed (and tried again), dead (given up)',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const waitingMails = new Gauge({
    name: 'latchkey_mails_waiting',
    help: 'Mails in the outbox that are not sent yet',
    registers: [registry],
  })
  const events = new Counter({
    name: 'latchkey_events_total',
    help: 'Events for hooks and webhooks, one per receiver, by what became of them: queued, sent, failed (and tried again), dead (given up)',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const waitingEvents = new Gauge({
    name: 'latchkey_events_waiting',
    help: 'Events that hooks and webhooks do not have yet, one per receiver',
    registers: [registry],
  })
  const endedLogins = new Counter({
    name: 'latchkey_logins_ended_total',
    help: 'Requests to end logins, by what was ended: one, or all others',
    labelNames: ['ended'] as const,
    registers: [registry],
  })
  const reauthentications = new Counter({
    name: 'latchkey_reauthentications_total',
    help: 'Attempts of signed-in users to prove again who they are, by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const newDevices = new Counter({
    name: 'latchkey_new_devices_total',
    help: 'Logins from a device that the user had not used before, with NEW_DEVICE_MAIL',
    registers: [registry],
  })
  const deletions = new Counter({
    name: 'latchkey_account_deletions_total',
    help: 'Accounts that were deleted',
    registers: [registry],
  })
  const exports = new Counter({
    name: 'latchkey_account_exports_total',
    help: 'Exports of what is known about a user',
    registers: [registry],
  })
  const swept = new Counter({
    name: 'latchkey_swept_rows_total',
    help: 'Rows that had expired and were deleted, by table',
    labelNames: ['table'] as const,
    registers: [registry],
  })

  return {
    /** Adds metrics of the whole process. Only the server calls this, once. */
    collectProcess: () => collectDefaultMetrics({ register: registry }),
    /** Callers keep the result: finding a series by its labels costs more than counting. */
    requestSeries: (method: string, route: string, status: number): RequestSeries =>
      requests.labels(method, route, String(status)),
    countLogin: (outcome: 'success' | 'failure') => logins.inc({ outcome }),
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
  }
}
