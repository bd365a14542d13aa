import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { facts } from './facts.ts'

type Texts = Readonly<Record<string, string>>

/** The path below the prefix, without a slash at the end: `login/code` */
export const placeNow = (): string => location.pathname.slice(facts.pages.length).replace(/\/$/, '')

const KEPT = 'latchkey:passed'

/** What a page hands to the next one. It survives `reload`, but no other reload. */
let passed = takeKept()
const listeners = new Set<() => void>()

export const passedOn = (name: string): string => passed[name] ?? ''

export function goTo(path: string, pass: Texts = {}, query: Texts = {}): void {
  passed = pass
  history.pushState(null, '', urlOf(path, query))
  announce()
}

/** Goes on without a way back: the page before would only lead here again. */
export function sendTo(path: string, pass: Texts = {}): void {
  passed = pass
  history.replaceState(null, '', urlOf(path))
  announce()
}

/** Loads the page again, with what the page before handed to it. */
export function reload(): void {
  // The page is left after the next line, even if the browser refuses that line.
  location.reload()
  sessionStorage.setItem(KEPT, JSON.stringify(passed))
}

function takeKept(): Texts {
  try {
    const kept = sessionStorage.getItem(KEPT)
    sessionStorage.removeItem(KEPT)
    return JSON.parse(kept ?? '{}')
  } catch {
    // A browser without cookies has no storage, either.
    return {}
  }
}

/** Tells everything that reads the address that it has changed. */
export function announce(): void {
  for (const listener of listeners) listener()
}

/** `?next=` stays in the address, so that a reload keeps it. */
export function urlOf(path: string, query: Texts = {}): string {
  const next = facts.next === null || path === '' ? {} : { next: facts.next }
  const search = new URLSearchParams({ ...next, ...query }).toString()
  return `${facts.pages}${path && `${path}/`}${search && `?${search}`}`
}

export const usePlace = (): string => useAddress(placeNow)

/** A part of the address, and again after every change of it. */
export function useAddress(read: () => string): string {
  const [place, setPlace] = useState(read)
  // An effect would come after those of the page itself, which may already go on to another one.
  useLayoutEffect(() => {
    const look = () => setPlace(read())
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

type LinkProps = {
  to: string
  query?: Texts
  children: ComponentChildren
  class?: string
  'aria-current'?: 'page' | undefined
}

/** A link within the pages. It can still be opened in a new tab. */
export function Link({ to, query, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    goTo(to, {}, query)
  }
  return (
    <a href={urlOf(to, query)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
