import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useLostFocus } from './use-lost-focus.ts'

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  const heading = useLostFocus()
  return (
    <section aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
