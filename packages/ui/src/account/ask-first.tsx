import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { useFocus } from '../components/focus.ts'
import { Form } from '../components/form.tsx'

type Props = {
  /** What the button says, also the one below the question. */
  button: string
  /** For screen readers, if there are several such buttons. */
  label: string
  /** What will happen. */
  text: string
  run(): Promise<unknown>
  /** Other buttons, which make room for the question. */
  children?: ComponentChildren
}

/** A button for something that cannot be undone. It asks in its place. */
export function AskFirst({ button, label, text, run, children }: Props) {
  const [asks, setAsks] = useState(false)
  if (asks) {
    return <Question button={button} text={text} run={run} onCancel={() => setAsks(false)} />
  }
  return (
    <div class="actions">
      {children}
      <Button kind="danger" label={label} onClick={() => setAsks(true)}>
        {button}
      </Button>
    </div>
  )
}

type QuestionProps = Pick<Props, 'button' | 'text' | 'run'> & { onCancel(): void }

/** The button that opened it is gone, so the text gets the focus: screen readers read it. */
export function Question({ button, text, run, onCancel }: QuestionProps) {
  const element = useFocus<HTMLParagraphElement>(true)
  return (
    <Form danger button={button} submit={run} onCancel={onCancel}>
      <p ref={element} tabIndex={-1}>
        {text}
      </p>
    </Form>
  )
}
