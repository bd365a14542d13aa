import type { Snapshot } from '../../core/metrics.ts'
import type { Mail } from '../../mailer/transport.ts'
import type { KeyedSettings } from '../../settings/secret-key.ts'
import type { Connection } from '../../storage/connect.ts'

export type Start = {
  readonly number: number
  readonly size: number
  readonly settings: KeyedSettings
  /** True for the first process of the first start: it runs the migrations. */
  readonly migrates: boolean
}

/** The listener of the service, or that of the admin API. */
export type SocketKind = 'public' | 'admin'

/** What the supervisor announces, or why the worker cannot start. */
export type Started =
  | { readonly hasUsers: boolean; readonly pooler: ReturnType<Connection['pooler']> }
  | { readonly refused: string }

/** What the supervisor can ask of a worker. */
export type WorkerCalls = {
  /** Passes a socket that is bound to a port, and says for which. All come before the start. */
  listener(kind: SocketKind, handle: unknown): void
  start(start: Start): Promise<Started>
  measure(argument: null): Promise<Snapshot>
  stop(argument: null): void
}

/** What a worker can ask of the supervisor. */
export type SupervisorCalls = {
  metrics(argument: null): Promise<string>
  keepMail(mail: Mail): void
  mails(argument: null): Promise<readonly Mail[]>
}
