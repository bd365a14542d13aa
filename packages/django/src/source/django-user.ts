import type { Pk } from '../../../server/src/kernel/ids.ts'

/** A row of a table whose columns are known only when it is read. */
export type DjangoRow = Readonly<Record<string, unknown>>

/** A user of a Django project, with everything that the tables contain about them. */
export type DjangoUser = {
  readonly pk: Pk
  /** The pk as text, which sorts like the pks of the project. */
  readonly key: string
  readonly password: string
  /** Null if the user model has none. */
  readonly username: string | null
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly isActive: boolean
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly joinedAt: number | null
  readonly lastLogin: number | null
  readonly groups: readonly string[]
  /** The columns that only this user model has. */
  readonly more: DjangoRow
  readonly addresses: readonly DjangoAddress[]
  readonly token: { readonly key: string; readonly createdAt: number | null } | null
  /** Second factors and passkeys of allauth. */
  readonly authenticators: readonly DjangoAuthenticator[]
  /** Second factors of dj-rest-auth 7.2 and later. */
  readonly ownAuthenticators: readonly DjangoAuthenticator[]
  /** Passkeys of dj-rest-auth 7.2 and later. */
  readonly credentials: readonly DjangoRow[]
  readonly socialAccounts: readonly DjangoSocialAccount[]
  /** Whether another user has verified the address, and this one has not. Only an import asks. */
  readonly isAddressOthers?: boolean
  /** Whether another user has verified the username as an address. Only an import asks. */
  readonly isNameOthers?: boolean
  readonly origin: DjangoOrigin
  /** Columns whose text is not valid UTF-8. Unreadable bytes were replaced. */
  readonly damaged: readonly string[]
}

/** Settings of the project that its rows depend on. */
export type DjangoOrigin = {
  readonly codeCount: number
  readonly codeDigits: number
  /** How many recovery codes dj-rest-auth 7.2 and later gives a user. */
  readonly ownCodeCount: number
}

export type DjangoAddress = {
  readonly id: number
  readonly email: string
  readonly isVerified: boolean
  readonly isPrimary: boolean
}

export type DjangoAuthenticator = {
  readonly id: number
  readonly type: string
  readonly data: unknown
  readonly createdAt: number | null
  readonly lastUsedAt: number | null
}

export type DjangoSocialAccount = {
  readonly id: number
  readonly provider: string
  readonly uid: string
  readonly joinedAt: number | null
  readonly lastLogin: number | null
}
