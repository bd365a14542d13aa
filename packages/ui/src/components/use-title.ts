import { useEffect, useRef } from 'preact/hooks'
import { facts } from '../facts.ts'
import { isTyping } from './focus.ts'

/** The browser itself announces the page that it has loaded. */
let isFirst = true

/**
 * Names the window after the page. The heading of a new page, to which the ref belongs, gets the
 * focus, so that screen readers start there.
 */
export function useTitle(title: string, options?: FocusOptions) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${facts.site}`
    if (!isFirst && !isTyping()) heading.current?.focus(options)
    isFirst = false
  }, [title])
  return heading
}
