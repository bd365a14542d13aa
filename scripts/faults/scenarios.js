import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** What breaks, for how long, and how it is repaired. */
export const postgresScenarios = [
  {
    name: 'connections ended by the server',
    faultMs: 0,
    async fault({ postgres }) {
      for (let i = 0; i < 10; i++) {
        await postgres.endConnections()
        await setTimeout(200)
      }
    },
  },
  {
    name: 'server killed (SIGKILL) and restarted',
    faultMs: 4000,
    fault: ({ postgres }) => postgres.kill(),
    mend: ({ postgres }) => postgres.restart(),
  },
  {
    name: 'server frozen (SIGSTOP) for 8 s',
    faultMs: 8000,
    fault: ({ postgres }) => postgres.freeze(),
    mend: ({ postgres }) => postgres.thaw(),
  },
  {
    name: 'all connections swallowed',
    faultMs: 0,
    fault: ({ proxy }) => proxy.swallow(),
  },
  {
    name: 'server read-only for 4 s',
    faultMs: 4000,
    readsGoOn: true,
    fault: ({ postgres }) => postgres.setReadOnly('on'),
    mend: ({ postgres }) => postgres.setReadOnly('off'),
  },
]

/** A limit on the size of files has the effect of a full disk, and needs no special rights. */
const limitFiles = (pid, size) =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`])

export const sqliteScenarios = [
  {
    name: 'SQLite without space for 4 s',
    faultMs: 4000,
    readsGoOn: true,
    fault: ({ service }) => limitFiles(service.pid, 1),
    mend: ({ service }) => limitFiles(service.pid, 'unlimited'),
  },
  {
    name: 'SQLite on a disk that fails for 4 s',
    faultMs: 4000,
    fault: ({ failing }) => writeFileSync(failing, ''),
    mend: ({ failing }) => rmSync(failing),
  },
]
