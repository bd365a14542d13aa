import { setTimeout } from 'node:timers/promises'
import Libsql from 'libsql'

/**
 * What breaks, and how it is repaired. `readsGoOn`: lookups are answered all the time. `staysReady`: `/readyz` is 200
 * meanwhile.
 */
export const postgresOutages = [
  {
    name: 'slow',
    fault: ({ proxy }) => proxy.slowDown(3000),
    mend: ({ proxy }) => proxy.slowDown(0),
  },
  {
    name: 'gone',
    fault: ({ postgres }) => postgres.kill(),
    mend: ({ postgres }) => postgres.restart(),
  },
  {
    name: 'read-only',
    readsGoOn: true,
    fault: ({ postgres }) => postgres.setReadOnly('on'),
    mend: ({ postgres }) => postgres.setReadOnly('off'),
  },
  {
    name: 'full',
    readsGoOn: true,
    fault: ({ postgres }) => postgres.fill(),
    mend: ({ postgres }) => postgres.empty(),
  },
  {
    name: 'frozen',
    fault: ({ postgres }) => postgres.freeze(),
    mend: ({ postgres }) => postgres.thaw(),
  },
  {
    name: 'silent on every connection that was open',
    staysReady: true,
    fault: ({ proxy }) => proxy.swallow(),
  },
  {
    name: 'ending all connections again and again',
    staysReady: true,
    async fault({ postgres }) {
      for (let i = 0; i < 10; i++) {
        await postgres.endConnections()
        await setTimeout(200)
      }
    },
  },
]

const diskOutage = (name, expected = {}) => ({
  name,
  ...expected,
  fault: ({ disk }) => disk.set(name),
  mend: ({ disk }) => disk.set(''),
})

export const sqliteOutages = [
  diskOutage('slow', { readsGoOn: true, staysReady: true }),
  diskOutage('read-only', { readsGoOn: true }),
  diskOutage('full', { readsGoOn: true }),
  {
    name: 'locked by another program',
    readsGoOn: true,
    fault(parts) {
      parts.other = new Libsql(parts.file, { timeout: 20_000 })
      parts.other.exec('BEGIN IMMEDIATE')
    },
    mend({ other }) {
      other.exec('ROLLBACK')
      other.close()
    },
  },
  diskOutage('gone'),
]
