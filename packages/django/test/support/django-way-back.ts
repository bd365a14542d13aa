import type { StartedAuth } from '../../../server/test/support/start-auth.ts'
import { createDjangoExport } from '../../src/export/django-export.ts'
import { openSource } from '../../src/source/source.ts'
import { readUserModel } from '../../src/source/user-model.ts'
import type { DjangoDatabase } from './django.ts'
import { insertInto, type TableRow } from './django-tables.ts'

type Imported = Pick<StartedAuth, 'auth'> & {
  source: DjangoDatabase
  live: { user_table: string }
}

/** The project after the import: it goes on adding users, and gets back what has changed here. */
export function wayBackTo({ auth, source, live }: Imported) {
  return {
    /** Runs an export, as the command does. `afterWrite` is what happens here in the meantime. */
    async exportUsers(use: 'write' | 'try' = 'write', afterWrite?: () => Promise<void>) {
      const opened = await openSource(source.url, { use })
      const change: typeof opened.change = async (work) => {
        const result = await opened.change(work)
        await afterWrite?.()
        return result
      }
      try {
        const order = {
          source: { ...opened, change },
          model: await readUserModel(opened, live.user_table),
          origin: { codeCount: 10, codeDigits: 8, ownCodeCount: 10 },
        }
        const watch = { note: () => {}, isStopping: () => false }
        return await createDjangoExport(auth.services)(auth.patientDb, order, watch)
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

/** A user there, but for the names. */
export const PLAIN = {
  password: '!',
  is_superuser: false,
  first_name: '',
  last_name: '',
  is_staff: false,
  is_active: true,
  date_joined: new Date(0),
}
