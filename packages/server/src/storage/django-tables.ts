import type { Flag } from './user-tables.ts'

export type DjangoTables = {
  /**
   * A user who came from a Django project. If the user is deleted here, the row stays without
   * personal data, so that no later import brings them back.
   */
  django_users: {
    /** The pk as text, in the order of the source. */
    source_key: string
    /** Null if the user was deleted here. */
    user_id: number | null
    /** The address in Django's user table as it stands there, since reset tokens are made from it. */
    email: string
    /** The address that the user got here. */
    address: string
    /** For each part, digests of what the source said and of what then stood here, as JSON. */
    parts: string
  }

  /** Every address of the users who came from a Django project, also those they do not use here. */
  django_addresses: {
    /** The id in Django's table, since keys in mails name it. */
    id: number
    user_id: number
    email: string
    email_key: string
    verified: Flag
  }

  /** Imported sessions, so that one that ended here is not imported again. */
  django_sessions: {
    digest: string
    /** The last import that has seen it at the source. */
    seen_in: number
    expires_at: number
  }

  /** How far the import has come. */
  django_import: {
    name: string
    value: string
  }

  /** What the operator should know. A later import deletes the row when the data is in order. */
  django_findings: {
    source_key: string
    /** The kind of data that it is about. */
    part: string
    what: string
    pk: string
    why: string
    /** `lost`: could not be imported. `kept`: both sides changed it, and ours was kept. */
    kind: 'lost' | 'kept'
  }
}
