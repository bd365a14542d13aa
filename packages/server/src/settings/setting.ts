import type { Kind } from '../kernel/setting-kinds/kind.ts'
import { flag, text } from '../kernel/setting-kinds/scalars.ts'

/** The settings that the defaults of others depend on. */
export type Basis = {
  readonly PORT: number
  readonly ADMIN_LISTEN: string
  readonly AUTH_PREFIX: string
  readonly PAGES_PREFIX: string
  readonly ROUTES: Readonly<Record<string, readonly string[]>>
  readonly PUBLIC_URL: string
  readonly USE_JWT: boolean
  readonly VERSION: string
  readonly MODULES: readonly string[]
}

export type Setting<T, Input = T> = {
  readonly kind: Kind<T, Input>
  readonly doc: string
  /** The default in words, for the documentation. */
  readonly defaultText: string
  defaultFrom(basis: Basis): T
}

export type ValueOf<S> = S extends Setting<infer T, unknown> ? T : never

/** What a program may pass for it. */
export type InputOf<S> = S extends Setting<unknown, infer Input> ? Input | undefined : never

export const setting = <T, Input>(
  kind: Kind<T, Input>,
  value: NoInfer<T>,
  doc: string,
): Setting<T, Input> => ({
  kind,
  doc,
  defaultText: kind.show(value),
  defaultFrom: () => value,
})

/** A setting whose default depends on other settings. */
export const derived = <T, Input>(
  kind: Kind<T, Input>,
  defaultText: string,
  defaultFrom: (basis: Basis) => NoInfer<T>,
  doc: string,
): Setting<T, Input> => ({ kind, doc, defaultText, defaultFrom })

export const hostOf = ({ PUBLIC_URL }: Basis): string => new URL(PUBLIC_URL).hostname

export const publicHost = (doc: string): Setting<string> =>
  derived(text, 'the host of PUBLIC_URL', hostOf, doc)

/**
 * For cookies. Browsers drop a secure cookie over plain http, so a first login on localhost would
 * fail.
 */
export const onWithHttps = (doc: string): Setting<boolean> =>
  derived(flag, 'true when PUBLIC_URL is https', (b) => b.PUBLIC_URL.startsWith('https:'), doc)
