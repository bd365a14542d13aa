import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { facts } from '../facts.ts'

type Props = {
  title: string
  children: ComponentChildren
  wide?: boolean
  beside?: ComponentChildren
}

let isFirst = true

/** The frame of every page. The title of a new page gets the focus, so that screen readers start there. */
export function Page({ title, children, wide = false, beside }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${facts.site}`
    const isInForm = document.activeElement?.matches('input') ?? false
    if (!isFirst && !isInForm) heading.current?.focus()
    isFirst = false
  }, [title])
  return (
    <>
      <header class="brand">
        <a href={facts.pages}>
          <bdi>{facts.site}</bdi>
        </a>
      </header>
      <main class={wide ? 'wide' : undefined}>
        <div class="heading">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {children}
      </main>
    </>
  )
}
