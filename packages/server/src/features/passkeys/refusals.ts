import type { Log } from '../../kernel/log.ts'

export type NoteRefusal = ReturnType<typeof createNoteRefusal>

const REASON_MAX = 200

/** Logs why a ceremony failed. The client learns only that it failed. */
export const createNoteRefusal =
  (log: Log) =>
  (ceremony: 'registration' | 'login', reason: unknown): void => {
    const text = reason instanceof Error ? reason.message : String(reason)
    // The reason may quote what the client sent, so its length is bounded.
    log.info({ ceremony, reason: text.slice(0, REASON_MAX) }, 'passkey refused')
  }
