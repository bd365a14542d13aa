import { useEffect, useState } from 'preact/hooks'
import { troubleOf } from '../problem.ts'

type Loaded<T> = {
  /** Null until it is loaded. */
  value: T | null
  trouble: string
  reload(): Promise<void>
}

/** Loads something of the user, and again after a change, or with another `version`. */
export function useLoaded<T>(load: () => Promise<T>, version = 0): Loaded<T> {
  const [value, setValue] = useState<T | null>(null)
  const [trouble, setTrouble] = useState('')
  const reload = async () => {
    try {
      setValue(await load())
      setTrouble('')
    } catch (error) {
      setTrouble(troubleOf(error, []).general)
    }
  }
  useEffect(() => {
    reload()
  }, [version])
  return { value, trouble, reload }
}
