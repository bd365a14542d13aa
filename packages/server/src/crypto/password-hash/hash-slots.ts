import { availableParallelism } from 'node:os'
import { problem, unavailable } from '../../kernel/problems.ts'

/** Whose turn it is at the hash. */
export type Turn = {
  /** The client's address: what one of them asks for is kept apart from what the others do. */
  client: string
  /** Logins never wait behind anything else. */
  isLogin?: boolean
  /** Told when nobody waits for the answer any more. */
  gone?: AbortSignal
}

/**
 * Bounds how many password hashes run at a time and how many wait. A flood then costs the flooders
 * a 503, and not everybody else the processor.
 *
 * The waiting places are shared fairly. One client holds a quarter of them at most, what is no login
 * half of them, logins come first, and within each kind the clients take turns: whoever floods from
 * one address delays another by a single hash.
 */
export type HashSlots = {
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>
}

/** Hashes run on the threads of Node's pool; one stays free for files and names. */
const THREADS = 4

type Waiting = { begin(): void; turn: Turn }

export function createHashSlots({
  parallel = Math.min(availableParallelism(), THREADS - 1),
  queue = 256,
}: {
  parallel?: number
  queue?: number
} = {}): HashSlots {
  const logins = createLane()
  const others = createLane()
  const shareOfClient = Math.ceil(queue / 4)
  const shareOfOthers = Math.ceil(queue / 2)
  let free = parallel

  async function take(turn: Turn): Promise<void> {
    if (turn.gone?.aborted) throw problem('client_gone')
    if (free > 0) {
      free -= 1
      return
    }
    if (!hasPlaceFor(turn)) throw unavailable(1)
    await wait(turn)
  }

  function hasPlaceFor({ client, isLogin = false }: Turn): boolean {
    if (logins.size() + others.size() >= queue) return false
    if (!isLogin && others.size() >= shareOfOthers) return false
    return logins.sizeOf(client) + others.sizeOf(client) < shareOfClient
  }

  const wait = (turn: Turn) =>
    new Promise<void>((resolve, reject) => {
      const lane = turn.isLogin ? logins : others
      const waiting = { turn, begin }
      function begin() {
        turn.gone?.removeEventListener('abort', leave)
        resolve()
      }
      // Nobody would read the answer: the place is free for somebody else.
      function leave() {
        lane.remove(waiting)
        reject(problem('client_gone'))
      }
      turn.gone?.addEventListener('abort', leave, { once: true })
      lane.add(waiting)
    })

  // A slot goes straight to the next in line: were it freed in between, a newcomer could take it.
  function giveBack(): void {
    const next = logins.next() ?? others.next()
    if (next) next.begin()
    else free += 1
  }

  return {
    async run(turn, task) {
      await take(turn)
      try {
        return await task()
      } finally {
        giveBack()
      }
    },
  }
}

/** Clients in turn, and what each of them asks for in order. */
function createLane() {
  const byClient = new Map<string, Waiting[]>()
  let size = 0

  return {
    size: () => size,
    sizeOf: (client: string) => byClient.get(client)?.length ?? 0,

    add(waiting: Waiting): void {
      const { client } = waiting.turn
      const own = byClient.get(client)
      if (own) own.push(waiting)
      else byClient.set(client, [waiting])
      size += 1
    },

    remove(waiting: Waiting): void {
      const { client } = waiting.turn
      keep(client, byClient.get(client)?.filter((one) => one !== waiting) ?? [])
      size -= 1
    },

    next(): Waiting | undefined {
      const [first] = byClient
      if (!first) return undefined
      const [client, [waiting, ...rest]] = first
      // To the end of the line of clients.
      byClient.delete(client)
      keep(client, rest)
      size -= 1
      return waiting
    },
  }

  function keep(client: string, own: Waiting[]): void {
    if (own.length > 0) byClient.set(client, own)
    else byClient.delete(client)
  }
}
