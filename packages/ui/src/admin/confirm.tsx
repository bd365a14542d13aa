import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { whenFresh } from '../account/ask-again.tsx'
import { Button } from '../components/button.tsx'
import { Form, type Values } from '../components/form.tsx'
import { useTell } from './panel.tsx'
import { ReasonField, reasonIn } from './reason.tsx'
import { say } from './words.ts'

export type Action = {
  /** What the button says, the title of the dialog, and the button there. */
  words: string
  title?: string
  button?: string
  /** What will happen. */
  text: string
  danger?: boolean
  needsReason?: boolean
  /** Further fields of the dialog. */
  fields?: ComponentChildren
  /** The dialog stays open until it is done, and shows what was refused. */
  run(values: Values, more: More): Promise<unknown>
  /** Loads the new state. */
  reload?(): unknown
  /** For screen readers, if there are several such buttons. */
  label?: string
}

type More = {
  reason: string | undefined
  /** Whether the operator has changed the input with that name. */
  isChanged(name: string): boolean
}

type Props = Action & { kind?: 'plain' | 'quiet' | 'primary' }

/** A button for something that an operator does. It asks first. */
export function ActionButton({ kind = 'plain', label, words, danger = false, ...action }: Props) {
  const [isOpen, setOpen] = useState(false)
  const tell = useTell()
  const open = () => {
    tell('')
    setOpen(true)
  }
  return (
    <>
      <Button
        kind={danger ? 'danger' : kind}
        {...(label !== undefined && { label })}
        onClick={open}
      >
        {words}
      </Button>
      {isOpen && (
        <Confirm
          {...action}
          words={words}
          danger={danger}
          onDone={() => tell(say('done', { action: label ?? action.title ?? words }))}
          onClose={() => setOpen(false)}
        />
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
  needsReason = false,
  fields,
  run,
  reload,
  onDone,
  onClose,
}: Action & {
  onDone(): void
  onClose(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** Nothing closes the dialog before the action has ended: that would hide a failure. */
  const isRunning = useRef(false)
  // Without it the dialog would be removed while it is open, and the focus would be lost.
  const close = () => dialog.current?.close()
  const stay = (event: Event) => {
    if (isRunning.current) event.preventDefault()
  }
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={stay}
      // At the second Escape, a browser may close the dialog without asking.
      onKeyDown={(event) => event.key === 'Escape' && stay(event)}
      onClose={onClose}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <Form
          button={button}
          danger={danger}
          onCancel={close}
          submit={async (values, isChanged) => {
            isRunning.current = true
            await whenFresh(() => run(values, { reason: reasonIn(values), isChanged }))
              .then(reload)
              .finally(() => {
                isRunning.current = false
              })
            onDone()
            close()
          }}
        >
          {fields}
          <ReasonField isRequired={needsReason} />
        </Form>
      </div>
    </dialog>
  )
}
