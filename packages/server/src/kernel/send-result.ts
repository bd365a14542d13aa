import { messageOf } from './log.ts'

/**
 * Why something was not sent. `refused`: the other side will never accept it. `deferred`: it does
 * not accept it now. `unreachable`: it would not accept anything.
 */
export type Failure = {
  status: 'refused' | 'deferred' | 'unreachable'
  reason: string
  /** What was thrown, for the log. */
  error?: unknown
}

export type SendResult = { status: 'sent' } | Failure

export const SENT: SendResult = { status: 'sent' }

export const failure = (status: Failure['status'], error: unknown): Failure => ({
  status,
  reason: messageOf(error),
})
