import type { SendHandle, Serializable } from 'node:child_process'

/** What `process` and a child process have in common. */
type Channel = {
  readonly connected: boolean
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
  send?(
    message: Serializable,
    handle: SendHandle | undefined,
    options: object,
    done: (error: Error | null) => void,
  ): boolean
}

/** Functions that the process at the other end can call, each with one argument. */
type Calls = Readonly<Record<string, (argument: never, handle: unknown) => unknown>>

type Message =
  | { readonly call: string; readonly id: number; readonly argument: unknown }
  | { readonly answer: unknown; readonly id: number }

/** Calls functions of the process at the other end of the channel. */
export type Caller<Theirs extends Calls> = <Name extends keyof Theirs & string>(
  name: Name,
  argument: Parameters<Theirs[Name]>[0],
  handle?: SendHandle,
) => Promise<Awaited<ReturnType<Theirs[Name]>>>

/**
 * Connects two processes. Messages arrive in the order in which they were sent. If the other process
 * ends, all calls that it has not answered are rejected.
 */
export function connectCalls<Theirs extends Calls>(channel: Channel, ours: Calls): Caller<Theirs> {
  let count = 0
  const waiting = new Map<number, { resolve(answer: never): void; reject(error: Error): void }>()

  channel.on('message', (message, handle) => {
    // Only our own program is at the other end.
    const received = message as Message
    if ('call' in received) void answer(received, handle)
    else {
      waiting.get(received.id)?.resolve(received.answer as never)
      waiting.delete(received.id)
    }
  })
  channel.on('disconnect', () => {
    for (const { reject } of waiting.values()) reject(new Error('The other process has ended.'))
    waiting.clear()
  })

  async function answer(call: Extract<Message, { call: string }>, handle: unknown): Promise<void> {
    const answered = await ours[call.call]?.(call.argument as never, handle)
    send({ id: call.id, answer: answered })
  }

  /**
   * A process that has ended needs no message. If it has only just ended, the message fails: without a
   * callback that would be an `error` event, and `disconnect` rejects the calls in any case.
   */
  function send(message: Message, handle?: SendHandle): void {
    if (channel.connected) channel.send?.(message as Serializable, handle, {}, () => {})
  }

  return (name, argument, handle) =>
    new Promise((resolve, reject) => {
      if (!channel.connected) return reject(new Error('The other process has ended.'))
      count += 1
      waiting.set(count, { resolve, reject })
      send({ call: name, id: count, argument }, handle)
    })
}
