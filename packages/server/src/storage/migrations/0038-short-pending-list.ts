import type { Migration } from '../migrate.ts'
import { shortenPendingList } from '../user-search.ts'

/** A search on PostgreSQL is as fast after many registrations as before. */
export const shortList: Migration = { name: '0038-short-pending-list', up: shortenPendingList }
