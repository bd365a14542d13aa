import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomHex } from '../../kernel/random.ts'
import type { User } from '../../storage/schema.ts'
import type { Letter, LetterName } from './letter.ts'
import type { OutboxStore } from './outbox-store.ts'

export type Outbox = ReturnType<typeof createOutbox>

/**
 * A mail is a row, written in the transaction that caused it: the answer never waits for a mail
 * server, and a crash loses nothing. The row is sealed, since the links in it are live secrets.
 */
export function createOutbox(sealedBox: SealedBox, clock: Clock) {
  async function post(letter: Letter, within: OutboxStore): Promise<void> {
    const id = randomHex(16)
    await within.add({
      id,
      sealed_letter: sealedBox.seal(JSON.stringify(letter), `mail:${id}`),
      state: 'queued',
      attempts: 0,
      due_at: clock.now(),
      created_at: clock.now(),
    })
  }

  return {
    post,

    /** To the user's own address, if there is one. */
    async notify(user: User, template: LetterName, within: OutboxStore): Promise<void> {
      if (user.email === '') return
      await post({ to: user.email, template, values: { username: user.username } }, within)
    },
  }
}
