import { useRef, useState } from 'preact/hooks'

/**
 * Copies a text that the element with the ref shows. If the browser refuses, it selects that element,
 * to be copied by hand.
 */
export function useCopy<Shown extends Element>(text: string) {
  const shown = useRef<Shown>(null)
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
    }
  }
  return { shown, isCopied, copy }
}
