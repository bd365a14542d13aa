import type { Operator } from '../../../server/src/features/audit/audit.ts'
import type { ImportRules } from '../map/new-user.ts'
import type { DjangoOrigin } from '../source/django-user.ts'
import type { DjangoSource } from '../source/source.ts'
import type { UserModel } from '../source/user-model.ts'
import type { Phase } from './state.ts'

/** A Django project, and how to import it. */
export type ImportOrder = {
  readonly source: DjangoSource
  readonly model: UserModel
  readonly origin: DjangoOrigin
  readonly rules: ImportRules
  /** The keys that may have signed its sessions. */
  readonly secretKeys: readonly string[]
  /** The backends whose sessions the project accepts. Null if they are not known. */
  readonly backends: ReadonlySet<string> | null
  readonly isDry: boolean
  /** Also removes the last active superuser here, if the project does. */
  readonly isForced: boolean
  /** Who imports, for the audit. */
  readonly operator: Operator
}

/** Lets the caller follow the import, and stop it. */
export type Watch = {
  /** `isAgain` if a resumed import goes over everything once more. */
  note(phase: Phase, seen: number, isAgain: boolean): void
  isStopping(): boolean
}
