import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is loaded when it is needed. Null until then. */
export function useLater<Props>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> | null {
  const [Loaded, setLoaded] = useState<FunctionComponent<Props> | null>(null)
  useEffect(() => {
    load().then((component) => setLoaded(() => component))
  }, [])
  return Loaded
}
