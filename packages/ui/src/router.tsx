import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { facts } from './facts.ts'

/** The path below the prefix, without a slash at the end: `login/code` */
export const placeNow = (): string => location.pathname.slice(facts.pages.length).replace(/\/$/, '')

/** What a page hands to the next one. It does not survive a reload. */
let passed: Readonly<Record<string, string>> = {}
const listeners = new Set<() => void>()

export const passedOn = (name: string): string => passed[name] ?? ''

export function goTo(path: string, pass: Readonly<Record<string, string>> = {}): void {
  passed = pass
  history.pushState(null, '', urlOf(path))
  for (const listener of listeners) listener()
}

/** `?next=` stays in the address, so that a reload keeps it. */
export const urlOf = (path: string): string => {
  const next = facts.next === null ? '' : `?${new URLSearchParams({ next: facts.next })}`
  return path === '' ? facts.pages : `${facts.pages}${path}/${next}`
}

export function usePlace(): string {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const look = () => setPlace(placeNow())
    const lookBack = () => {
      passed = {}
      look()
    }
    listeners.add(look)
    addEventListener('popstate', lookBack)
    return () => {
      listeners.delete(look)
      removeEventListener('popstate', lookBack)
    }
  }, [])
  return place
}

type LinkProps = { to: string; children: ComponentChildren; class?: string }

/** A link within the pages. It can still be opened in a new tab. */
export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a href={urlOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
