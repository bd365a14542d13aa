import { change, many } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type Figure = Database['daily_figures']

export const addFigure = change((db, figure: Figure) =>
  db
    .insertInto('daily_figures')
    .values(figure)
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'kind'])
        .doUpdateSet((eb) => ({ count: eb('daily_figures.count', '+', eb.ref('excluded.count')) })),
    ),
)

export const listFigures = many((db, since: number) =>
  db.selectFrom('daily_figures').selectAll().where('day', '>=', since).orderBy('day'),
)
