import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { NO_TROUBLE, troubleOf } from '../problem.ts'
import { say } from '../words.ts'
import { Button, lastPressed } from './button.tsx'
import { Trouble } from './task.tsx'

export type Values = Readonly<Record<string, string>>

type Props = {
  button: string
  /**
   * Refusals that it throws are shown beside their fields. `isChanged` tells whether the input with
   * that name holds something else than at first, or than at the last success.
   */
  submit(values: Values, isChanged: (name: string) => boolean): Promise<unknown>
  children?: ComponentChildren
  /** With it, there is a second button. */
  onCancel?: () => void
  danger?: boolean
}

const Answer = createContext(NO_TROUBLE)

/** What the service said last. It is another object after every request. */
export const useAnswer = () => useContext(Answer)

export const useFieldError = (name: string): string => useAnswer().fields[name] ?? ''

/**
 * The inputs hold their own values, as password managers expect. After a refusal the first wrong
 * field gets the focus, and what is wrong is announced.
 */
export function Form({ button, submit, children, onCancel, danger = false }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [trouble, setTrouble] = useState(NO_TROUBLE)
  const [isBusy, setBusy] = useState(false)
  /** The words of the button that opened the form. */
  const [opener] = useState(lastPressed)
  /** What the inputs held at first, as the browser writes it. */
  const before = useRef<Values>({})
  // An effect would run later, and what is typed before it would not count as a change.
  useLayoutEffect(() => {
    if (form.current) before.current = valuesOf(form.current)
  }, [])

  async function onSubmit(event: Event) {
    event.preventDefault()
    const element = form.current
    if (!element || isBusy) return
    const unread = unreadIn(element)
    if (unread) {
      setTrouble({ fields: { [unread.name]: unread.validationMessage }, general: '' })
      unread.focus()
      return
    }
    setBusy(true)
    const values = valuesOf(element)
    try {
      await submit(values, (name) => values[name] !== before.current[name])
      before.current = values
      setTrouble({ ...NO_TROUBLE })
    } catch (error) {
      const names = Object.keys(values)
      const found = troubleOf(error, names)
      setTrouble(found)
      const first = names.find((name) => name in found.fields)
      if (first) focusOn(element.elements.namedItem(first) as HTMLInputElement | null)
    }
    setBusy(false)
  }

  function cancel() {
    // The request is on its way. A closed form could not show that it was refused.
    if (isBusy) return
    const around = form.current?.closest('li, section, dialog')
    onCancel?.()
    // The form had replaced the button, which comes back as another element.
    setTimeout(() => {
      const buttons = [...(around?.querySelectorAll('button') ?? [])]
      buttons.find(({ textContent }) => textContent === opener)?.focus()
    })
  }

  return (
    <Answer.Provider value={trouble}>
      <form ref={form} onSubmit={onSubmit} noValidate>
        {/* Screen readers announce what changes. The next refusal may have the same words. */}
        <Trouble words={isBusy ? '' : trouble.general} />
        {children}
        <div class="actions">
          <Button kind={danger ? 'danger' : 'primary'} submit busy={isBusy}>
            {button}
          </Button>
          {onCancel && <Button onClick={cancel}>{say('cancel')}</Button>}
        </div>
      </form>
    </Answer.Provider>
  )
}

/** A hidden input stands for the boxes beside it. */
function focusOn(input: HTMLInputElement | null): void {
  const box = () => input?.closest('fieldset')?.querySelector<HTMLElement>('[type=checkbox]')
  const shown = input?.type === 'hidden' ? box() : input
  shown?.focus()
}

/** An input with half a date or number. Its value is empty, and would delete the stored one. */
const unreadIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)

/** What was typed. The widgets of captchas add fields of their own, which nobody needs. */
function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form)
  for (const { name } of form.querySelectorAll<HTMLInputElement>('.captcha [name]'))
    data.delete(name)
  return Object.fromEntries(data) as Values
}
