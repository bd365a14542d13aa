import type { Service } from '../../src/compose-service.ts'
import type { Letter } from '../../src/features/mail/outbox.ts'
import type { LetterName } from '../../src/kernel/letter-names.ts'

/** The mails in the outbox, as their recipients will read them. */
export function openMail({ connection, services }: Service) {
  /** Oldest first. */
  async function letters(): Promise<Letter[]> {
    const rows = await connection.db
      .selectFrom('outbox')
      .selectAll()
      .where('state', '=', 'queued')
      .orderBy('created_at')
      .execute()
    return rows.map((row) => {
      const letter = services.outbox.open(row)
      if (!letter) throw new Error('A letter cannot be opened.')
      return letter
    })
  }

  return {
    letters,
    templates: async () => (await letters()).map(({ template }) => template),
    of: async (template: LetterName) =>
      (await letters()).filter((one) => one.template === template),

    /** The newest letter of that kind to that address. */
    async newest(template: LetterName, to: string): Promise<Letter> {
      const all = await letters()
      const letter = all.findLast((one) => one.to === to && one.template === template)
      if (!letter) throw new Error(`No letter ${template} to ${to}.`)
      return letter
    },
  }
}
