import { createSignal } from '../kernel/signal.ts'
import { unreachable } from '../storage/faults.ts'
import type { Freeze } from '../storage/freeze.ts'
import { onlyOne, readChoice, readDuration, readInteger, readObject, readText } from './input.ts'
import { TestRefusal } from './refusal.ts'

export type Faults = ReturnType<typeof createFaults>

/** What happens to the next requests to a path. */
type PathFault = {
  readonly path: string
  readonly status: number | null
  readonly delayMs: number
  /** How many requests are left. */
  times: number
}

const NAMES = ['path', 'status', 'delay', 'times', 'smtp', 'database'] as const
const PATHS_MAX = 100
const DELAY_MAX = 60_000
const TIMES_MAX = 1_000_000

/** The faults that a test has asked for, in one space. */
export function createFaults() {
  const paths = new Map<string, PathFault>()
  let smtp: 'refuse' | 'hang' | null = null
  let isDatabaseDown = false
  const smtpChanged = createSignal()

  function setSmtp(fault: typeof smtp): void {
    smtp = fault
    smtpChanged.notify()
  }

  function setPath(path: string, body: Readonly<Record<string, unknown>>): void {
    const { status, delay, times } = body
    // The same body with null takes a fault back.
    if (status === null || delay === null) {
      paths.delete(path)
      return
    }
    if (status === undefined && delay === undefined) {
      throw new TestRefusal('A fault of a path needs a status, a delay or both.')
    }
    if (!paths.has(path) && paths.size >= PATHS_MAX) {
      throw new TestRefusal(`At most ${PATHS_MAX} paths can have a fault.`, 409)
    }
    paths.set(path, {
      path,
      status: status === undefined ? null : readInteger(status, 'status', 400, 599),
      delayMs: delay === undefined ? 0 : readDuration(delay, 'delay', DELAY_MAX),
      times: times === undefined ? Infinity : readInteger(times, 'times', 1, TIMES_MAX),
    })
  }

  function clear(): void {
    paths.clear()
    setSmtp(null)
    isDatabaseDown = false
  }

  return {
    smtp: () => smtp,
    /** Calls the listener when the fault of the mail server changes. */
    onSmtp: smtpChanged.listen,
    isDatabaseDown: () => isDatabaseDown,

    set(body: unknown): void {
      const given = readObject(body, NAMES)
      const what = onlyOne(given, ['path', 'smtp', 'database'])
      const more = ['status', 'delay', 'times'].filter((name) => name in given)
      if (what !== 'path' && more.length > 0) {
        throw new TestRefusal(`${more.join(' and ')}: only for a fault of a path.`)
      }
      if (what === 'smtp') {
        setSmtp(given.smtp === null ? null : readChoice(given.smtp, 'smtp', ['refuse', 'hang']))
      } else if (what === 'database') {
        isDatabaseDown =
          given.database !== null && readChoice(given.database, 'database', ['down']) === 'down'
      } else setPath(plain(readText(given.path, 'path')), given)
    },

    clear,

    list: () => ({
      paths: [...paths.values()].map(({ path, status, delayMs, times }) => ({
        path,
        ...(status !== null && { status }),
        ...(delayMs > 0 && { delay: delayMs / 1000 }),
        ...(Number.isFinite(times) && { times }),
      })),
      smtp,
      database: isDatabaseDown ? 'down' : null,
    }),

    /** The fault of a request to this path below the prefix of the API, which counts it. */
    take(below: string): PathFault | null {
      const fault = paths.get(plain(below))
      if (!fault) return null
      fault.times -= 1
      if (fault.times === 0) paths.delete(fault.path)
      return fault
    },

    /** Refuses every statement while the database is down, as if it could not be reached. */
    freeze(): Freeze {
      let isOn = false
      return {
        get isOn() {
          if (isDatabaseDown) throw unreachable('The test asked for a fault of the database.')
          return isOn
        },
        set isOn(value) {
          isOn = value
        },
      }
    },
  }
}

/** `/login/`, `login` and `login/` are one path. */
const plain = (path: string): string => path.replace(/^\/+|\/+$/g, '')
