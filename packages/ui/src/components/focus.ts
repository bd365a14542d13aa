import { useEffect, useRef } from 'preact/hooks'

/** Whether somebody is typing. Nothing takes the focus away from them. */
export const isTyping = (): boolean => document.activeElement?.matches('input') ?? false

/** For the ref of an element that gets the focus when it appears. `autofocus` works once in a document. */
export function useFocus<Kind extends HTMLElement = HTMLInputElement>(isWanted: boolean) {
  const element = useRef<Kind>(null)
  useEffect(() => {
    if (isWanted && !isTyping()) element.current?.focus()
  }, [])
  return element
}
