import type { ComponentChildren } from 'preact'

type Props = {
  children: ComponentChildren
  kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  submit?: boolean
  busy?: boolean
  onClick?: () => void
  /** For screen readers, if the words alone do not say what the button is about. */
  label?: string
}

let pressed: string | null = null

/** The words of the button that was pressed last. */
export const lastPressed = () => pressed

/** A busy button keeps its place and the focus. The spinner appears after 300 ms. */
export function Button({ children, kind = 'plain', submit, busy, onClick, label }: Props) {
  const press = (event: { currentTarget: HTMLButtonElement }) => {
    pressed = event.currentTarget.textContent
    onClick?.()
  }
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={kind}
      aria-label={label}
      aria-disabled={busy}
      onClick={busy ? undefined : press}
    >
      {children}
      {busy && <span class="spinner" />}
    </button>
  )
}
