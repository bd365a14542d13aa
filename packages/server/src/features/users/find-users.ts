import { setImmediate as nextTurn } from 'node:timers/promises'
import { pkOf } from '../../core/identity.ts'
import type { Pk } from '../../kernel/ids.ts'
import { nameKey, searchKey } from '../../kernel/names.ts'
import type { Db } from '../../storage/handle.ts'
import type { UserRow } from '../../storage/schema.ts'
import {
  type Filter,
  findFew,
  listBetween,
  listPks,
  type Order,
  type Position,
  positionLater,
  STATES,
  type State,
} from './find-users-queries.ts'

/** The states by which users can be found. */
export const USER_STATES = Object.keys(STATES) as State[]

/** At most this many users are sorted in memory. More are read in the order of an index. */
const FEW = 5000
/** One query looks at this many users, since SQLite answers nobody else meanwhile. */
const STEP = 2000
/** After this many queries a page may be short, and the next one goes on from there. */
const STEPS = 10

type Wanted = Omit<Filter, 'texts'> & {
  text: string
  order: Order
  after: Position | null
  count: number
}

/** `next` is null after the last page. */
type Page = { users: UserRow[]; next: Position | null }

/**
 * Finds users among a million of them. If one part of the filter finds few, these are sorted.
 * Otherwise so many match that the first ones in the order of the list are soon found.
 */
export async function findUsers(db: Db, wanted: Wanted): Promise<Page> {
  const { order, count, state, since } = wanted
  let { after } = wanted
  // Line breaks separate the names in the index, and no name has one.
  if (wanted.text.includes('\n')) return { users: [], next: null }
  // The keys of addresses have their domain in ASCII, and those of first and last names have not.
  const texts = [...new Set([nameKey(wanted.text), searchKey(wanted.text)])]
  const filter: Filter = { texts: wanted.text === '' ? [] : texts, state, since }
  const isAnybody = filter.texts.length === 0 && state === undefined && since === undefined
  if (isAnybody) return page(await listBetween(db, filter, order, { after, to: null }, count + 1))
  const ids = await findFew(db, filter, FEW)
  if (ids) {
    const range = { among: ids, after, to: null }
    return page(await listBetween(db, filter, order, range, count + 1))
  }

  const users: UserRow[] = []
  for (let step = 0; step < STEPS; step++) {
    const to = await positionLater(db, filter, order, after, STEP)
    const rest = count + 1 - users.length
    users.push(...(await listBetween(db, filter, order, { after, to }, rest)))
    if (users.length > count || !to) return page(users)
    after = to
    await nextTurn()
  }
  return { users, next: after }

  function page(found: UserRow[]): Page {
    const shown = found.slice(0, count)
    const last = found.length > count ? shown.at(-1) : undefined
    return { users: shown, next: last ? { key: keyOf(last, order), id: last.id } : null }
  }
}

/** The pks of users, without those that are deleted. */
export async function pksOfUsers(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Pk>> {
  const wanted = [...new Set(ids)]
  const found = wanted.length === 0 ? [] : await listPks(db, wanted)
  return new Map(found.map((user) => [user.id, pkOf(user)]))
}

function keyOf(user: UserRow, { by }: Order): number | string {
  if (by === 'username') return user.username_key
  return by === 'joined' ? user.joined_at : (user.last_login_at ?? 0)
}
