import { Histogram, type Registry } from 'prom-client'

const NAME = 'latchkey_http_request_duration_seconds'
const HELP = 'Time from the headers of a request to the end of its answer'
const BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

type Label = 'method' | 'route' | 'status' | 'le'
type Labels = { method: string; route: string; status: string }

/** Its type is a word, although `prom-client` declares it as a number. */
type Got = Awaited<ReturnType<Histogram<Label>['get']>>

/** The requests of one route, method and status. */
export type RequestSeries = { observe(seconds: number): void }

/**
 * The histogram of requests. That of `prom-client` validates and hashes its labels again with each
 * request, which takes longer than finding the route. Here a request adds to three numbers.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #series = new Map<string, Series>()

  constructor(registry: Registry) {
    super({
      name: NAME,
      help: HELP,
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    })
  }

  /** Callers keep the result, since finding it again takes longer than counting. */
  series(method: string, route: string, status: number): RequestSeries {
    const name = `${status} ${method} ${route}`
    const series = this.#series.get(name) ?? new Series({ method, route, status: String(status) })
    this.#series.set(name, series)
    return series
  }

  override async get() {
    const values = [...this.#series.values()].flatMap((series) => series.values())
    return {
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      values,
    } as unknown as Got
  }

  /** `prom-client` calls this instead of `get` for the text of `/metrics`. */
  getForPromString() {
    return this.get()
  }
}

class Series implements RequestSeries {
  readonly #labels: Labels
  readonly #counts = BOUNDS.map(() => 0)
  #count = 0
  #sum = 0

  constructor(labels: Labels) {
    this.#labels = labels
  }

  observe(seconds: number): void {
    this.#count += 1
    this.#sum += seconds
    for (let i = BOUNDS.length - 1; i >= 0 && seconds <= (BOUNDS[i] ?? 0); i--) {
      this.#counts[i] = (this.#counts[i] ?? 0) + 1
    }
  }

  values() {
    const labels = this.#labels
    const buckets = BOUNDS.map((le, i) => ({ le, value: this.#counts[i] ?? 0 }))
    return [
      ...[...buckets, { le: '+Inf', value: this.#count }].map(({ le, value }) => ({
        metricName: `${NAME}_bucket`,
        labels: { le, ...labels },
        value,
      })),
      { metricName: `${NAME}_sum`, labels, value: this.#sum },
      { metricName: `${NAME}_count`, labels, value: this.#count },
    ]
  }
}
