import { useEffect, useRef } from 'preact/hooks'

/** Whether somebody is typing. Nothing takes the focus away from them. */
export const isTyping = (): boolean => document.activeElement?.matches('input') ?? false

/** For the ref of an input that gets the focus when it appears. `autofocus` works once in a document. */
export function useFocus(isWanted: boolean) {
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isWanted && !isTyping()) element.current?.focus()
  }, [])
  return element
}
