import { useState } from 'preact/hooks'
import { troubleOf } from '../problem.ts'

/** Runs one thing at a time, and keeps what went wrong. */
export function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  async function run(task: () => Promise<unknown>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setTrouble('')
    try {
      await task()
    } catch (error) {
      setTrouble(troubleOf(error, []).general)
    }
    setBusy(false)
  }
  return { isBusy, trouble, run, setTrouble }
}

/** It exists before it has words: screen readers announce only what changes. */
export const Trouble = ({ words }: { words: string }) => (
  <div role="alert">{words && <p class="notice bad">{words}</p>}</div>
)

export const Good = ({ words }: { words: string }) => (
  <div role="status">{words && <p class="notice good">{words}</p>}</div>
)
