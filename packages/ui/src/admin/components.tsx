import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Trouble } from '../components/task.tsx'
import { sayDate } from '../words.ts'
import type { Pages } from './use-pages.ts'
import { say } from './words.ts'

type Tone = 'good' | 'bad' | 'warn' | 'plain'

export const Badge = ({
  tone = 'plain',
  children,
}: {
  tone?: Tone
  children: ComponentChildren
}) => <span class={`badge ${tone}`}>{children}</span>

/** The exact time is in the title. */
export const Time = ({ at, say = sayDate }: { at: string | null; say?: (at: string) => string }) =>
  at === null ? (
    '–'
  ) : (
    <time dateTime={at} title={at}>
      {say(at)}
    </time>
  )

/** Several remarks in one line. Each runs in its own direction. */
export const Remarks = ({ of: all }: { of: readonly (string | null | false)[] }) => (
  <>
    {all.filter(Boolean).map((one, nth) => (
      <>
        {nth > 0 && ' · '}
        <bdi>{one}</bdi>
      </>
    ))}
  </>
)

type SelectProps = {
  label: string
  value: string
  options: Readonly<Record<string, string>>
  onChange(value: string): void
}

/** A filter of a list. */
export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(options).map(([name, words]) => (
          <option key={name} value={name} selected={name === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

type FilterProps = {
  label: string
  value: string
  type?: 'text' | 'date'
  onChange(value: string): void
}

/** What the input of a filter holds: the current filter, and then what is typed. */
export function useTyped(value: string) {
  const state = useState(value)
  const [, setTyped] = state
  // An effect would come later, and could erase what was typed in the meantime.
  useLayoutEffect(() => setTyped(value), [value])
  return state
}

/** A filter that is typed. It counts when the field is left or Enter is pressed. */
export function Filter({ label, value, type = 'text', onChange }: FilterProps) {
  const id = useId()
  const [typed, setTyped] = useTyped(value)
  const kind = { type } as { type: 'text' }
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...kind}
        value={typed}
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </div>
  )
}

type ListProps = {
  pages: Pages<unknown>
  empty: string
  children: ComponentChildren
}

/** The last page takes the button away. Its focus goes to the first row of that page. */
function useNextRow({ results, hasMore, more }: Pages<unknown>) {
  const box = useRef<HTMLDivElement>(null)
  /** How many rows there were when the button was pressed. */
  const before = useRef<number | null>(null)
  useEffect(() => {
    const nth = before.current
    before.current = null
    if (nth === null || hasMore || document.activeElement !== document.body) return
    const rows = box.current?.querySelectorAll<HTMLElement>('.row:not(.head)')
    // A long search may end without another row.
    const next = rows?.[nth] ?? box.current
    if (next && !next.matches('a')) next.tabIndex = -1
    next?.focus()
  }, [results])
  return {
    box,
    more() {
      before.current = results?.length ?? 0
      more()
    },
  }
}

/** The results of a question, and a button for more of them. */
export function Results({ pages, empty, children }: ListProps) {
  // A long search may pause before it has found anything.
  const isEmpty = pages.results?.length === 0 && !pages.hasMore
  const { box, more } = useNextRow(pages)
  return (
    <div ref={box} class="results" aria-busy={pages.isBusy}>
      <Trouble words={pages.trouble} />
      {children}
      <p role="status" class="empty">
        {isEmpty ? empty : ''}
      </p>
      {pages.hasMore && (
        <Button busy={pages.isBusy} onClick={more}>
          {say('more')}
        </Button>
      )}
    </div>
  )
}
