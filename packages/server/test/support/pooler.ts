import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { directUrl } from './new-database.ts'

/** What PgBouncer accepts in a start packet, with its default configuration. */
const ACCEPTED = ['user', 'database', 'client_encoding', 'application_name']

const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102
const PROTOCOL = 196_608

type Options = {
  /** How many connections to the server it has. */
  size?: number
  /** `session` keeps a connection for the same client until it leaves. */
  mode?: 'transaction' | 'session'
  /** Tells clients the key of the server, so that they believe to be there. */
  isHidden?: boolean
}

/**
 * A stand-in for PgBouncer: it refuses parameters in the start packet, and gives each transaction
 * another connection to the server than the one before it.
 */
export async function startPooler(targetUrl: string, options: Options = {}) {
  const { size = 2, isHidden = false } = options
  const target = new URL(directUrl(targetUrl))
  let mode = options.mode ?? 'transaction'
  let cancels = 0
  let commitToLose: 'before' | 'after' | null = null
  let isCommitWarned = false
  const free: Link[] = []
  const waiting: ((link: Link) => void)[] = []
  const sockets = new Set<Socket>()

  for (let i = 0; i < size; i++) free.push(await openLink())

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  async function openLink(): Promise<Link> {
    const socket = keep(connect(Number(target.port), target.hostname).setNoDelay())
    const link: Link = { socket, owner: null, greeting: [] }
    await once(socket, 'connect')
    const { searchParams, username, pathname } = target
    const options = searchParams.get('options')
    socket.write(
      startPacket({ user: username, database: pathname.slice(1), ...(options && { options }) }),
    )
    await new Promise<void>((resolve) => {
      let isReady = false
      socket.on(
        'data',
        byMessage((type, message) => {
          if (isReady) return fromServer(link, type, message)
          if (type === 'S' || type === 'K') link.greeting.push(message)
          isReady = type === 'Z'
          if (isReady) resolve()
        }),
      )
    })
    return link
  }

  function fromServer(link: Link, type: string, message: Buffer): void {
    const isIdle = type === 'Z' && message.toString('latin1', 5, 6) === 'I'
    const { owner } = link
    if (isIdle && mode === 'transaction') release(link)
    if (isIdle && owner?.isLosing) owner.socket.destroy()
    else if (!owner?.isLosing) owner?.socket.write(message)
  }

  function take(): Promise<Link> {
    const link = free.shift()
    return link ? Promise.resolve(link) : new Promise((resolve) => waiting.push(resolve))
  }

  function release(link: Link): void {
    if (link.owner) link.owner.link = null
    link.owner = null
    const next = waiting.shift()
    if (next) next(link)
    else free.push(link)
  }

  async function replace(link: Link): Promise<void> {
    link.owner = null
    link.socket.destroy()
    release(await openLink())
  }

  const server = createServer({ noDelay: true }, (socket) => {
    const client: Client = { socket: keep(socket), link: null, isLosing: false }
    let turn = Promise.resolve()
    socket.on('close', () => {
      turn = turn.then(() => (client.link ? replace(client.link) : undefined))
    })
    const typed = byMessage((type, message) => {
      turn = turn.then(() => fromClient(client, type, message))
    })
    let greeted = false
    socket.on('data', (data) => {
      if (greeted) return typed(data)
      const code = data.readInt32BE(4)
      if (code === SSL_REQUEST) return void socket.write('N')
      if (code === CANCEL_REQUEST) cancels += 1
      if (code !== PROTOCOL) return void socket.end()
      greeted = true
      turn = turn.then(() => greet(client, data))
    })
  })

  async function greet(client: Client, packet: Buffer): Promise<void> {
    const names = packet.toString('latin1', 8).split('\0')
    const refused = names.find((name, i) => i % 2 === 0 && name && !ACCEPTED.includes(name))
    if (refused) {
      const fields = ['SFATAL', 'C08P01', `Munsupported startup parameter: ${refused}`, '']
      return void client.socket.end(messageOf('E', `${fields.join('\0')}\0`))
    }
    const link = await take()
    const isOwnKey = (message: Buffer) => message.toString('latin1', 0, 1) === 'K'
    const told = [
      messageOf('R', '\0\0\0\0'),
      ...link.greeting.filter((message) => isHidden || !isOwnKey(message)),
      ...(isHidden ? [] : [messageOf('K', '12345678')]),
      messageOf('Z', 'I'),
    ]
    if (mode === 'session') own(client, link)
    else release(link)
    client.socket.write(Buffer.concat(told))
  }

  async function fromClient(client: Client, type: string, message: Buffer): Promise<void> {
    if (type === 'X') return void client.socket.end()
    const link = client.link ?? own(client, await take())
    if (type === 'Q' && message.toString('latin1', 5).startsWith('commit')) {
      const [lost, isWarned] = [commitToLose, isCommitWarned]
      commitToLose = null
      isCommitWarned = false
      if (isWarned) client.socket.write(STAND_BY_WARNING)
      if (lost === 'before') return void client.socket.destroy()
      client.isLosing = lost === 'after'
    }
    link.socket.write(message)
  }

  function own(client: Client, link: Link): Link {
    client.link = link
    link.owner = client
    return link
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(targetUrl)
  url.port = String((server.address() as AddressInfo).port)
  url.search = ''

  return {
    url: url.href,
    /** How many requests to cancel a query have come. */
    cancels: () => cancels,
    /** From now on every transaction gets another connection. */
    poolByTransaction(): void {
      mode = 'transaction'
    },
    /** Cuts the connection of the next client that commits, before or after the server has. */
    loseCommit(when: 'before' | 'after'): void {
      commitToLose = when
    },
    /** Warns the next client that commits as a primary does that no longer waits for its stand-by. */
    warnOfCommit(): void {
      isCommitWarned = true
    },
  }
}

type Client = { socket: Socket; link: Link | null; isLosing: boolean }
type Link = { socket: Socket; owner: Client | null; greeting: Buffer[] }

function startPacket(parameters: Record<string, string>): Buffer {
  const body = Object.entries(parameters).flatMap(([name, value]) => [`${name}\0`, `${value}\0`])
  const packet = Buffer.concat([Buffer.alloc(8), Buffer.from(`${body.join('')}\0`)])
  packet.writeInt32BE(packet.length, 0)
  packet.writeInt32BE(PROTOCOL, 4)
  return packet
}

function messageOf(type: string, body: string): Buffer {
  const message = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1')
  message.writeInt32BE(message.length - 1, 1)
  return message
}

const STAND_BY_WARNING = messageOf(
  'N',
  [
    'SWARNING',
    'C01000',
    'Mcanceling wait for synchronous replication due to user request',
    'RSyncRepWaitForLSN',
    '\0',
  ].join('\0'),
)

/** Cuts the stream of bytes into messages. */
function byMessage(handle: (type: string, message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (data: Buffer): void => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5) {
      const length = rest.readInt32BE(1) + 1
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      handle(message.toString('latin1', 0, 1), message)
    }
  }
}
