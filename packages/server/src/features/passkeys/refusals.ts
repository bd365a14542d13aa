import type { Log } from '../../kernel/log.ts'

export type NoteRefusal = ReturnType<typeof createNoteRefusal>

const REASON_MAX = 200

/** Why a ceremony failed is for the log; whoever tried it learns only that it did. */
export const createNoteRefusal =
  (log: Log) =>
  (ceremony: 'registration' | 'login', reason: unknown): void => {
    const text = reason instanceof Error ? reason.message : String(reason)
    // Reasons quote what the client sent.
    log.info({ ceremony, reason: text.slice(0, REASON_MAX) }, 'passkey refused')
  }
