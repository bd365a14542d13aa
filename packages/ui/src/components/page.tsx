import type { ComponentChildren } from 'preact'
import { facts } from '../facts.ts'
import { useTitle } from './use-title.ts'

type Props = {
  title: string
  children: ComponentChildren
  wide?: boolean
  beside?: ComponentChildren
}

/** The frame of every page. */
export function Page({ title, children, wide = false, beside }: Props) {
  const heading = useTitle(title)
  return (
    <>
      <Brand />
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

/** All there is of a page that is still loading. */
export const Brand = () => (
  <header class="brand">
    <a href={facts.pages}>
      <bdi>{facts.site}</bdi>
    </a>
  </header>
)
