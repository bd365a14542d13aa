import { useEffect, useRef } from 'preact/hooks'

/**
 * For the ref of the heading of a section. It gets the focus when the control that had it is gone, so
 * that people who use the keyboard or a screen reader do not start again at the top of the page.
 */
export function useLostFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const section = heading.current?.closest('section')
    if (!section) return
    let last: Node | null = null
    const remember = ({ target }: FocusEvent) => {
      last = target as Node
    }
    const look = () => {
      const isLost = document.activeElement === document.body && last?.isConnected === false
      if (isLost) heading.current?.focus()
    }
    // What has just appeared takes the focus first: a field of a form, the button after "Cancel".
    const observer = new MutationObserver(() =>
      requestAnimationFrame(() => requestAnimationFrame(look)),
    )
    section.addEventListener('focusin', remember)
    observer.observe(section, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return heading
}
