import { createSealedBox } from '../../src/crypto/sealed-box.ts'
import type { Letter } from '../../src/features/mail/letter.ts'
import type { StartedAuth } from './start-auth.ts'

/** The letters that wait in the outbox, oldest first, as their recipients will read them. */
export async function lettersIn({ db, settings }: StartedAuth): Promise<Letter[]> {
  const box = createSealedBox(settings.SECRET_KEY ?? '', [])
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .execute()
  return rows.map((row) => {
    const text = box.open(row.sealed_letter, `mail:${row.id}`)
    if (text === null) throw new Error('A letter cannot be opened.')
    return JSON.parse(text)
  })
}
