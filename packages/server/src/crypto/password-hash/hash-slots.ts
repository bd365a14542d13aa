import { availableParallelism } from 'node:os'
import { problem, unavailable } from '../../kernel/problems.ts'

/** On whose behalf a password is hashed. */
export type Turn = {
  /** The client's address. Each client has its own queue. */
  client: string
  /** Logins never wait behind anything else. */
  isLogin?: boolean
  /** Aborts when the client has disconnected. */
  gone?: AbortSignal
}

/** Hashes run on the threads of Node's pool. One thread stays free for files and DNS. */
const THREADS = 4

type Waiting = { begin(): void; turn: Turn }

/** For all processes of one service together. */
const QUEUE = 256

type Size = {
  /** How many processes share the cores, the memory and the waiting places. */
  processes?: number
  parallel?: number
  queue?: number
}

export type HashSlots = ReturnType<typeof createHashSlots>

/**
 * Limits how many password hashes run at a time and how many wait. During a flood the excess
 * gets 503, and the rest of the service keeps its CPU time.
 *
 * The waiting places are shared fairly. One client holds at most a quarter of them. Work other than
 * logins holds at most half. Logins go first, and within each kind the clients take turns. So a
 * flood from one address delays other clients by only one hash.
 */
export function createHashSlots({
  processes = 1,
  parallel = Math.max(1, Math.min(Math.floor(availableParallelism() / processes), THREADS - 1)),
  queue = Math.ceil(QUEUE / processes),
}: Size = {}) {
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
      // The client has gone, so its place is free for another.
      function leave() {
        lane.remove(waiting)
        reject(problem('client_gone'))
      }
      turn.gone?.addEventListener('abort', leave, { once: true })
      lane.add(waiting)
    })

  // A free slot goes directly to the next in the queue. Otherwise a newcomer could take it first.
  function giveBack(): void {
    const next = logins.next() ?? others.next()
    if (next) next.begin()
    else free += 1
  }

  return {
    async run<T>(turn: Turn, task: () => Promise<T>): Promise<T> {
      await take(turn)
      try {
        return await task()
      } finally {
        giveBack()
      }
    },
  }
}

/** A queue per client; the clients take turns. */
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
      // Moves the client to the end of the row.
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
