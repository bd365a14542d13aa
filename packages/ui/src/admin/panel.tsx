import { type ComponentProps, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { Section } from '../account/section.tsx'
import { Good } from '../components/task.tsx'

const Tell = createContext((_words: string): void => undefined)

/** Says in the panel around it what was done. */
export const useTell = () => useContext(Tell)

/** A part of a page, with what can be done about it beside its title. */
export function Panel({ children, ...section }: ComponentProps<typeof Section>) {
  const [done, setDone] = useState('')
  return (
    <Tell.Provider value={setDone}>
      <Section {...section}>
        <Good words={done} />
        {children}
      </Section>
    </Tell.Provider>
  )
}
