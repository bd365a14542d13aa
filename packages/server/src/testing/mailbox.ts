import { setTimeout as pause } from 'node:timers/promises'
import { isoTime } from '../kernel/clock.ts'
import type { LetterName } from '../kernel/letter-names.ts'
import { failure, SENT } from '../kernel/send-result.ts'
import type { Mail, MailTransport } from '../mailer/transport.ts'
import type { Faults } from './faults.ts'
import { createJournal } from './journal.ts'

/** A letter as a test reads it. */
export type TestLetter = {
  readonly id: string
  readonly kind: LetterName
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly at: string
  // What a test would otherwise have to find in the text.
  readonly link: string | null
  readonly code: string | null
  readonly uid: string | null
  readonly token: string | null
  readonly key: string | null
}

export type TestMailbox = ReturnType<typeof createTestMailbox>

/** Longer than the service waits for a mail server. */
const HANGS_FOR = 60_000

/** The mail server of a space. It keeps what it gets, and can be made to fail. */
export function createTestMailbox(faults: Pick<Faults, 'smtp' | 'onSmtp'>) {
  const letters = createJournal<TestLetter>('letter')
  /** For the mailbox page, newest first. */
  let mails: readonly Mail[] = []

  async function send(mail: Mail) {
    if (faults.smtp() === 'hang') await hang()
    if (faults.smtp() !== null) {
      return failure('unreachable', new Error('The test asked for a fault of the mail server.'))
    }
    mails = [mail, ...mails].slice(0, 100)
    letters.add(letterOf(mail))
    return SENT
  }

  /** Until the fault is taken back. */
  async function hang(): Promise<void> {
    const patience = new AbortController()
    const stopListening = faults.onSmtp(() => patience.abort())
    await pause(HANGS_FOR, undefined, { signal: patience.signal, ref: false }).catch(() => {})
    stopListening()
  }

  const transport: MailTransport = {
    send,
    mailbox: { keep: () => {}, latest: async () => mails },
  }

  return {
    transport,
    letters,
    state: () => ({ mails, letters: letters.state() }),
    restore(earlier: { mails: readonly Mail[]; letters: readonly TestLetter[] } | null): void {
      mails = earlier?.mails ?? []
      letters.restore(earlier?.letters)
    },
  }
}

function letterOf({ id, to, subject, text, html, postedAt, letter }: Mail): TestLetter {
  const { template: kind, values } = letter
  const part = (name: string) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null)
  return {
    id,
    kind,
    to,
    at: isoTime(postedAt),
    link: part('link'),
    // People read it in groups. A form takes it without the gap.
    code: part('code')?.replaceAll(' ', '') ?? null,
    uid: part('uid'),
    token: part('token'),
    key: part('key'),
    subject,
    text,
    html,
  }
}
