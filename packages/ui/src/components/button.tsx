import type { ComponentChildren } from 'preact'

type Props = {
  children: ComponentChildren
  kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  submit?: boolean
  busy?: boolean
  onClick?: () => void
  /** Where the words alone do not say what it is about. */
  label?: string
}

/** While it is busy it stays where it is and keeps the focus. The spinner comes after 300 ms. */
export function Button({ children, kind = 'plain', submit, busy, onClick, label }: Props) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={kind}
      aria-label={label}
      aria-disabled={busy}
      onClick={busy ? undefined : onClick}
    >
      {children}
      {busy && <span class="spinner" />}
    </button>
  )
}
