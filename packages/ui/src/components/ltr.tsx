import type { ComponentChildren } from 'preact'

/** What is written from left to right in every language: an address, a key, the name of a program. */
export const Ltr = ({ children }: { children: ComponentChildren }) => (
  <bdi dir="ltr">{children}</bdi>
)
