import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { whenFresh } from '../account/ask-again.tsx'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { say } from './words.ts'

export type Action = {
  /** What the button says, the title of the dialog, and the button there. */
  words: string
  title?: string
  button?: string
  /** What will happen. */
  text: string
  danger?: boolean
  reason?: 'optional' | 'required'
  /** Further fields of the dialog. */
  fields?: ComponentChildren
  /**
   * The dialog stays open until it is done, and shows what was refused. `isChanged` tells whether the
   * operator has changed the input with that name.
   */
  run(values: Values, isChanged: (name: string) => boolean): Promise<unknown>
  /** For screen readers, if there are several such buttons. */
  label?: string
}

type Props = Action & { kind?: 'plain' | 'quiet' | 'primary' }

/** A button for something that an operator does. It asks first. */
export function ActionButton({ kind = 'plain', label, words, danger = false, ...action }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind={danger ? 'danger' : kind}
        {...(label !== undefined && { label })}
        onClick={() => setOpen(true)}
      >
        {words}
      </Button>
      {isOpen && (
        <Confirm {...action} words={words} danger={danger} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function Confirm({
  words,
  title = words,
  button = words,
  text,
  danger = false,
  reason,
  fields,
  run,
  onClose,
}: Action & {
  onClose(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** What the inputs held at first, as the browser writes it. */
  const before = useRef<Values>({})
  const id = useId()
  useEffect(() => {
    const form = dialog.current?.querySelector('form') ?? undefined
    before.current = Object.fromEntries(new FormData(form)) as Values
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <Form
          button={button}
          danger={danger}
          onCancel={onClose}
          submit={async (values) => {
            await whenFresh(() => run(values, (name) => values[name] !== before.current[name]))
            onClose()
          }}
        >
          {fields}
          {reason && (
            <Field name="reason" label={say('confirm.reason')} required={reason === 'required'} />
          )}
        </Form>
      </div>
    </dialog>
  )
}
