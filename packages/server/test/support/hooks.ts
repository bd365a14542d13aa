import { expect, onTestFinished, vi } from 'vitest'
import type { Hooks } from '../../src/core/hooks.ts'
import { dump } from './dump.ts'
import { type StartedAuth, startAuth } from './start-auth.ts'

/** Limits count every request, also those that a hook refuses. */
export const UNLIMITED = {
  RATE_LIMITS: { signup: 'none', passkey_begin: 'none', social: 'none', code_mail: 'none' },
}

/** A service whose log is kept. */
export async function startWithHooks(
  hooks: Hooks,
  { ACCOUNT, ...settings }: NonNullable<Parameters<typeof startAuth>[0]> = {},
) {
  const lines: string[] = []
  const auth = await startAuth(
    { ...settings, ACCOUNT: { ...UNLIMITED, ...ACCOUNT } },
    { hooks, onLogLine: (line) => lines.push(line) },
  )
  return { ...auth, lines }
}

/** Runs a request that must not write anything, not even a count. */
export async function writesNothing<T>({ db }: StartedAuth, request: () => Promise<T>): Promise<T> {
  const before = await dump(db)
  const reply = await request()
  expect(await dump(db)).toEqual(before)
  return reply
}

/** A function of the host that begins, and never ends by itself. */
export function endless() {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let end = () => {}
  const ended = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  return {
    begun,
    end: () => end(),
    hook: () => {
      begin()
      return ended
    },
  }
}

/** Runs a request whose hook answers too late. It must not write anything, and neither must the hook. */
export function writesNothingIfLate<T>(
  auth: StartedAuth,
  late: ReturnType<typeof endless>,
  request: () => Promise<T>,
): Promise<T> {
  holdTimers()
  return writesNothing(auth, async () => {
    const answering = request()
    await late.begun
    await passSeconds(5)
    const answer = await answering
    late.end()
    return answer
  })
}

/** Only the timers stand still; the database and the network go on. */
export function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

export const passSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(1000 * seconds)
