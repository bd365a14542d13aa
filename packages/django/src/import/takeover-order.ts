import type { TakeoverRules } from '../../../server/src/features/users/takeover/adopt-users.ts'
import type { DjangoOrigin } from '../../../server/src/storage/django/django-user.ts'
import type { DjangoSource } from '../source/source.ts'
import type { UserModel } from '../source/user-model.ts'
import type { Phase } from './state.ts'

/** A Django project, and how it is to be taken over. */
export type TakeoverOrder = {
  readonly source: DjangoSource
  readonly model: UserModel
  readonly origin: DjangoOrigin
  readonly rules: TakeoverRules
  /** Those that may have signed its sessions. */
  readonly secretKeys: readonly string[]
  /** Whose sessions count there; null if that is not known. */
  readonly backends: ReadonlySet<string> | null
  readonly isDry: boolean
}

/** What the caller sees and decides while it runs. */
export type Watch = {
  note(phase: Phase, seen: number): void
  isStopping(): boolean
}
