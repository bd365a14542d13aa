type Waiter<Client> = {
  resolve(client: Client): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
  /** A new connection was started for it. If that has failed, it waits for one in use. */
  hasTried: boolean
  /** Until then it has enough time left to make a connection, or to use one. */
  servedUntil: number
}

type Source<Client> = {
  /** An idle connection, or a new one. */
  connect(): Promise<Client>
  /** Takes back a connection that nobody waits for. */
  giveBack(client: Client): void
  idleCount(): number
  canGrow(): boolean
  patienceMs: number
}

/**
 * Those who wait for a connection. `pg.Pool` binds a request to the new connection that it starts. A
 * pooler with few connections to the server may let that one wait forever, while others become free.
 * So a waiter gets the first connection that comes, new or given back.
 */
export function createWaiters<Client>(source: Source<Client>) {
  const { connect, giveBack, idleCount, canGrow, patienceMs } = source
  const waiters: Waiter<Client>[] = []
  let inUse = 0
  /** How many are about to get an idle connection. */
  let taking = 0
  /** How many new connections are being made. */
  let connecting = 0

  async function takeIdle(): Promise<Client> {
    taking++
    try {
      const client = await connect()
      inUse++
      return client
    } finally {
      taking--
    }
  }

  const wait = (isUrgent: boolean): Promise<Client> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
        reject(tooLate())
      }, patienceMs)
      // A connection that is started late comes too late, and takes the place of a better one.
      const servedUntil = performance.now() + patienceMs / 2
      const waiter = { resolve, reject, timer, hasTried: false, servedUntil }
      if (isUrgent) waiters.unshift(waiter)
      else waiters.push(waiter)
      grow()
    })

  /** Starts a connection for the first waiter that has none. */
  function grow(): void {
    if (inUse === 0) startOver()
    const now = performance.now()
    const isLeft = (one: Waiter<Client>) => !one.hasTried && now < one.servedUntil
    const waiter = canGrow() && waiters.find(isLeft)
    if (!waiter) return
    waiter.hasTried = true
    connecting++
    connect().then(came, (error) => failed(waiter, error))
  }

  function came(client: Client): void {
    connecting--
    inUse++
    give(client)
  }

  /** Connections that are in use will be given back soon. If there are none, the waiter is refused. */
  function failed(waiter: Waiter<Client>, error: unknown): void {
    connecting--
    const at = waiters.indexOf(waiter)
    if (inUse === 0 && at >= 0) {
      waiters.splice(at, 1)
      clearTimeout(waiter.timer)
      waiter.reject(error)
    }
    grow()
  }

  /** No connection is in use, so only those being made can come. They go to the first waiters. */
  function startOver(): void {
    for (const [at, waiter] of waiters.entries()) waiter.hasTried = at < connecting
  }

  /**
   * The first that has half of its time left. Those before it are refused: if more requests come than
   * the database can answer, the first has always used up its time. Its statement would time out, which
   * closes all connections, and nobody would be answered any more.
   */
  function nextWaiter(): Waiter<Client> | undefined {
    const now = performance.now()
    for (;;) {
      const waiter = waiters.shift()
      clearTimeout(waiter?.timer)
      if (!waiter || now < waiter.servedUntil || waiters.length === 0) return waiter
      waiter.reject(tooLate())
    }
  }

  function give(client: Client): void {
    const waiter = nextWaiter()
    if (waiter) waiter.resolve(client)
    else drop(client)
  }

  function drop(client: Client): void {
    inUse--
    giveBack(client)
    grow()
  }

  return {
    /** Urgent callers are served before all others. */
    take: (isUrgent = false): Promise<Client> =>
      idleCount() > taking ? takeIdle() : wait(isUrgent),
    /** Gives a connection that can be used again to the next who waits. */
    give,
    /** Gives a connection back to its source. */
    drop,
    inUse: (): number => inUse,
  }
}

const tooLate = () => new Error('timeout exceeded when trying to connect')
