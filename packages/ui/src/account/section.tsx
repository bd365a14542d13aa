import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useLostFocus } from './use-lost-focus.ts'

type Props = { title: string; children: ComponentChildren; beside?: ComponentChildren }

export function Section({ title, children, beside }: Props) {
  const id = useId()
  const heading = useLostFocus()
  return (
    <section aria-labelledby={id}>
      <div class="heading">
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {beside}
      </div>
      {children}
    </section>
  )
}
