import type { AccountEvent } from '../core/hooks.ts'
import type { Snapshots } from '../storage/snapshots.ts'
import type { ClockState, TestClock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { Journal } from './journal.ts'
import type { TestMailbox } from './mailbox.ts'
import { TestRefusal } from './refusal.ts'

type Needs = {
  readonly snapshots: Snapshots
  readonly clock: TestClock
  readonly faults: Faults
  readonly mailbox: TestMailbox
  readonly events: Journal<AccountEvent>
  readonly providers: ReadonlyMap<string, IdentityProvider>
}

type Kept = {
  readonly number: number
  readonly clock: ClockState
  readonly mail: ReturnType<TestMailbox['state']>
  readonly events: readonly AccountEvent[]
}

const SNAPSHOTS_MAX = 20
/** The number of the copy that a reset goes back to. Those of snapshots follow. */
const START = 0
/** The number of the copy to which work that fails goes back. */
const BEFORE_WORK = -1

/** Goes back to an earlier state of a space: its rows, its letters, its events and its clock. */
export async function createRecords(needs: Needs) {
  const { snapshots, clock, faults, mailbox, events, providers } = needs
  const kept = new Map<string, Kept>()
  const start = await keep(START)
  let count = 0
  let lastWork: Promise<unknown> = Promise.resolve()

  async function keep(number: number): Promise<Kept> {
    await snapshots.take(number)
    return { number, clock: clock.state(), mail: mailbox.state(), events: events.state() }
  }

  /** Work that makes or forgets copies is done one after another, so that no other work replaces a copy. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = lastWork.then(work)
    lastWork = done.catch(() => {})
    return done
  }

  async function goBack(to: Kept): Promise<void> {
    faults.clear()
    for (const provider of providers.values()) provider.forget()
    await putBack(to)
  }

  async function putBack(to: Kept): Promise<void> {
    await snapshots.restore(to.number)
    clock.restore(to.clock)
    mailbox.restore(to.mail)
    events.restore(to.events)
  }

  return {
    snapshot: (): Promise<string> =>
      inTurn(async () => {
        if (kept.size >= SNAPSHOTS_MAX) {
          throw new TestRefusal(
            `There are already ${SNAPSHOTS_MAX} snapshots, the most. A reset forgets them.`,
            409,
          )
        }
        const one = await keep(kept.size + 1)
        const id = `s${++count}`
        kept.set(id, one)
        return id
      }),

    async restore(id: string): Promise<void> {
      const one = kept.get(id)
      if (!one) throw new TestRefusal(`id: there is no snapshot "${id.slice(0, 40)}".`, 404)
      await goBack(one)
    },

    /** As it was after the start. Snapshots are forgotten. */
    reset: (): Promise<void> =>
      inTurn(async () => {
        kept.clear()
        await goBack(start)
      }),

    /** Does all of the work or nothing. */
    allOrNothing: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        const before = await keep(BEFORE_WORK)
        return work().catch(async (error: unknown) => {
          await putBack(before)
          throw error
        })
      }),
  }
}
