import type { Kysely } from 'kysely'
import type { Connection } from '../connect.ts'
import { isHalfMoved, unmarkHalfMoved } from '../half-moved.ts'
import { type Handle, handleOf } from '../handle.ts'
import { lastIdOf, setLastId } from '../reserve-ids.ts'
import type { Database } from '../schema.ts'
import { describeTables, type MovedTable } from './describe-tables.ts'
import { createDigest, type Digest } from './digest.ts'
import { countRows, type Row, readRows, writeRows } from './rows.ts'
import { withLockedSnapshot, withSnapshot, withWholeTransaction } from './snapshot.ts'
import { refuseUnusable, type Side, withQuietSource } from './source.ts'
import { emptyTarget, prepareTarget, refuseSameDatabase, refuseUsedTarget } from './target.ts'

/** How a table stands at one side. `lastId` is where its sequence of ids has come to. */
type Standing = Digest & { lastId?: number }

/** How one table stands at both sides. */
export type Compared = {
  table: string
  source: Standing
  target: Standing
  isSame: boolean
}

type Progress = { at(done: number): void; end(): void }

type Outside = {
  freezes: boolean
  say(words: string): void
  progress(what: string, total: number): Progress
  /** Throws if the operator wants to stop. */
  goOn(): void
}

/** Copies everything, and compares before anybody can see it. Throws if the result differs. */
export async function move(
  source: Connection,
  target: Connection,
  outside: Outside,
): Promise<readonly Compared[]> {
  const tables = await describeTables()
  await at('source', refuseUnusable(source, 'source'))
  // Read before this move sets its own mark.
  const isAgain = await at('target', isHalfMoved(target))
  await at('target', refuseUsedTarget(target, tables, isAgain))
  const copying = withQuietSource(source, outside, async (id) => {
    await at('target', refuseSameDatabase(target, id))
    await at('target', prepareTarget(target, isAgain))
    return withLockedSnapshot(source, tables, (from) =>
      at('target', copyAll(from, target, tables, outside)),
    )
  })
  return at('source', copying)
}

/** Compares the two as they are. */
export async function compare(
  source: Connection,
  target: Connection,
  { progress, goOn }: Pick<Outside, 'progress' | 'goOn'>,
): Promise<readonly Compared[]> {
  const tables = await describeTables()
  await at('source', refuseUnusable(source, 'source'))
  if (await at('target', isHalfMoved(target))) {
    throw new Error('The target is only half moved. Run the move again.')
  }
  await at('target', refuseUnusable(target, 'target'))
  return withSnapshot(source, (from) =>
    withSnapshot(target, async (to) => {
      const shown = progress('Compared', (await total(from, tables)) + (await total(to, tables)))
      const count = counter(shown, goOn)
      const compared: Compared[] = []
      for (const table of tables) {
        const ours = await at('source', standing(from, table, count))
        const theirs = await at('target', standing(to, table, count))
        compared.push(comparedOf(table, ours, theirs))
      }
      shown.end()
      return compared
    }),
  )
}

async function copyAll(
  from: Kysely<Database>,
  target: Connection,
  tables: readonly MovedTable[],
  { progress, goOn }: Outside,
): Promise<readonly Compared[]> {
  const rows = await at('source', total(from, tables))
  return withWholeTransaction(target, async (handle, to) => {
    await emptyTarget(handle, target, tables)
    const moved = progress('Moved', rows)
    const count = counter(moved, goOn)
    const sources: Standing[] = []
    for (const table of tables) {
      const write = (batch: readonly Row[]) => at('target', writeRows(to, table, batch))
      const here = await at('source', standing(from, table, count, write))
      if (table.hasSequence) await setLastId(handle, table.name, here.lastId ?? 0)
      sources.push(here)
    }
    moved.end()

    const shown = progress('Compared', rows)
    const countAgain = counter(shown, goOn)
    const compared: Compared[] = []
    for (const [i, table] of tables.entries()) {
      const there = await standing(to, table, countAgain)
      compared.push(comparedOf(table, sources[i] as Standing, there))
    }
    shown.end()
    const wrong = compared.filter(({ isSame }) => !isSame)
    if (wrong.length > 0) {
      const names = wrong.map(({ table }) => table).join(', ')
      throw new Error(`The copy differs from the source in ${names}. Nothing was moved.`)
    }
    await unmarkHalfMoved(handle)
    return compared
  })
}

/** How a table stands, read from its first to its last row. */
async function standing(
  db: Kysely<Database>,
  table: MovedTable,
  count: (rows: number) => void,
  use?: (batch: readonly Row[]) => Promise<void>,
): Promise<Standing> {
  const digest = createDigest()
  for await (const batch of readRows(db, table)) {
    digest.add(batch)
    await use?.(batch)
    count(batch.length)
  }
  const lastId = table.hasSequence && { lastId: await lastIdOf(handleOf<Handle>(db), table.name) }
  return { ...digest.result(), ...lastId }
}

function comparedOf({ name }: MovedTable, source: Standing, target: Standing): Compared {
  const isSame = JSON.stringify(source) === JSON.stringify(target)
  return { table: name, source, target, isSame }
}

async function total(db: Kysely<Database>, tables: readonly MovedTable[]): Promise<number> {
  let rows = 0
  for (const table of tables) rows += await countRows(db, table)
  return rows
}

function counter(progress: Progress, goOn: () => void) {
  let done = 0
  return (rows: number): void => {
    goOn()
    done += rows
    progress.at(done)
  }
}

/** Notes which database failed, for the words of the error. The innermost one is right. */
async function at<T>(side: Side, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && !('side' in error)) Object.assign(error, { side })
    throw error
  }
}

export const sideOf = (error: unknown): Side | undefined =>
  error instanceof Error && 'side' in error ? (error.side as Side) : undefined
