import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import { useLostFocus } from '../account/use-lost-focus.ts'
import { Good } from '../components/task.tsx'

type Props = { title: string; children: ComponentChildren; beside?: ComponentChildren }

const Tell = createContext((_words: string): void => undefined)

/** Says in the panel around it what was done. */
export const useTell = () => useContext(Tell)

/** A part of a page, with what can be done about it beside its title. */
export function Panel({ title, children, beside }: Props) {
  const id = useId()
  const heading = useLostFocus()
  const [done, setDone] = useState('')
  return (
    <Tell.Provider value={setDone}>
      <section aria-labelledby={id}>
        <div class="heading">
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {beside}
        </div>
        <Good words={done} />
        {children}
      </section>
    </Tell.Provider>
  )
}
