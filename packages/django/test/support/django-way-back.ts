import { createGiveBack } from '../../src/export/give-back.ts'
import { openSource } from '../../src/source/source.ts'
import { readUserModel } from '../../src/source/user-model.ts'
import type { startTakenOver } from './django.ts'
import { insertInto, type TableRow } from './django-tables.ts'

type TakenOver = Awaited<ReturnType<typeof startTakenOver>>

/** The project after the import: it goes on adding users, and gets back what has changed here. */
export function wayBackTo({ auth, source, live }: TakenOver) {
  return {
    /** Runs an export, as the command does. */
    async giveBack(use: 'write' | 'try' = 'write') {
      const opened = await openSource(source.url, { use })
      try {
        const order = {
          source: opened,
          model: await readUserModel(opened, live.user_table),
          origin: { codeCount: 10, codeDigits: 8 },
        }
        const watch = { note: () => {}, isStopping: () => false }
        return await createGiveBack(auth.services)(auth.patientDb, order, watch)
      } finally {
        await opened.close()
      }
    },

    /** The rows as they stand there. */
    async rows(table: string, column: string, value: string | number): Promise<TableRow[]> {
      const opened = await openSource(source.url, { use: 'read' })
      try {
        return (await opened.rowsWith(table, column, [value])) as TableRow[]
      } finally {
        await opened.close()
      }
    },

    addThere: (row: TableRow) => source.change(insertInto(live.user_table, [{ ...PLAIN, ...row }])),
  }
}

const PLAIN = {
  password: '!',
  is_superuser: false,
  first_name: '',
  last_name: '',
  is_staff: false,
  is_active: true,
  date_joined: new Date(0),
}
