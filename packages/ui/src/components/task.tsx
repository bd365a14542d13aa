import { useState } from 'preact/hooks'
import { NO_TROUBLE, troubleOf } from '../problem.ts'

/** One thing that is done at a time, and what went wrong with it. */
export function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  async function run(task: () => Promise<unknown>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setTrouble(NO_TROUBLE.general)
    try {
      await task()
    } catch (error) {
      setTrouble(troubleOf(error, []).general)
    }
    setBusy(false)
  }
  return { isBusy, trouble, run, setTrouble }
}

/** Is there before it has words, so that screen readers notice when they come. */
export const Trouble = ({ words }: { words: string }) => (
  <div role="alert">{words && <p class="notice bad">{words}</p>}</div>
)

export const Good = ({ words }: { words: string }) => (
  <div role="status">{words && <p class="notice good">{words}</p>}</div>
)
