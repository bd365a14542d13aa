import type { FastifyBaseLogger } from 'fastify'
import { once } from '../kernel/promises.ts'
import { TestRefusal } from './refusal.ts'
import { openSpace, type Space } from './space.ts'
import { type Common, SPACE_HEADER, settingsOf } from './space-settings.ts'

/** The space of requests without a header. */
export const FIRST = ''

/** Each costs a few megabytes. */
const SPACES_MAX = 64
const NAME = /^[\w-]{1,64}$/

type Needs = {
  readonly common: Common
  readonly seed: readonly unknown[]
  readonly log: FastifyBaseLogger
  /** Opens a port for the space with this name, and returns it. */
  listen(name: string): Promise<number>
}

/** The spaces of a service. Each is made when it is asked for the first time. */
export function createSpaces({ common, seed, log, listen }: Needs) {
  const spaces = new Map<string, () => Promise<Space>>()
  const opening: Promise<Space>[] = []
  /** The address of the first space, which answers for the others, too. */
  let first: string | null = null

  function open(name: string): Promise<Space> {
    const space = openAt(name)
    opening.push(space)
    return space
  }

  async function openAt(name: string): Promise<Space> {
    const port = await listen(name)
    const url = `http://localhost:${port}`
    first ??= url
    const { settings, clients } = settingsOf(common, port, first === url ? [] : [first])
    return openSpace({ name, url, settings, clients, seed, log })
  }

  return {
    /** Finds the space by the value of the header, or makes it. */
    async find(name: string): Promise<Space> {
      if (name !== FIRST && !NAME.test(name)) {
        throw new TestRefusal(`${SPACE_HEADER}: expected 1 to 64 letters, digits, - and _.`)
      }
      const known = spaces.get(name)
      if (!known && spaces.size >= SPACES_MAX) {
        throw new TestRefusal(
          `There are already ${SPACES_MAX} spaces, the most. Name them after workers, not after tests, and reset them between tests.`,
          409,
        )
      }
      const find = known ?? once(() => open(name))
      spaces.set(name, find)
      return find()
    },

    async close(): Promise<void> {
      // Asking for a space that could not be opened would open it again.
      const all = await Promise.allSettled(opening)
      await Promise.all(all.map((one) => one.status === 'fulfilled' && one.value.close()))
    },
  }
}
