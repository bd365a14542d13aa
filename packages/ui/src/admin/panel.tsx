import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = { title: string; children: ComponentChildren; beside?: ComponentChildren }

/** A part of a page, with what can be done about it beside its title. */
export function Panel({ title, children, beside }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div class="heading">
        <h2 id={id}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  )
}
