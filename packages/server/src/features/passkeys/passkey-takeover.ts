import type { Adoption, Loss, TakeoverPart } from '../../core/takeover.ts'
import { ID_MAX, uidOf } from '../../kernel/ids.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { DjangoUser } from '../../storage/django/django-user.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Passkey } from '../../storage/schema.ts'
import { ownPasskeys } from './own-passkeys.ts'
import { columnsOf, hintsIn } from './passkey-registration.ts'
import {
  addOwnerIfNew,
  addPasskeyIfNew,
  findPasskey,
  listPasskeysOf,
  listPasskeysOfUser,
  type NewPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys-queries.ts'

type Found = Omit<NewPasskey, 'user_id'>

/** Passkeys of allauth and of dj-rest-auth, with the handle under which authenticators know them. */
export const passkeyTakeover: TakeoverPart = {
  name: 'passkeys',
  of: (source) => {
    const all = [...webauthnOf(source).map(({ id, data }) => [id, data]), ...source.credentials]
    return all.length === 0 ? null : all
  },
  async marks(userIds, tx) {
    const marks = new Map<number, unknown[]>()
    for (const { user_id, credential_id, name } of await listPasskeysOf(tx, userIds)) {
      marks.set(user_id, [...(marks.get(user_id) ?? []), [credential_id, name]])
    }
    return marks
  },
  async add(adoptions, tx) {
    const losses: Loss[] = []
    for (const adoption of adoptions) losses.push(...(await adopt(adoption, tx)))
    return losses
  },
  /** One that stays keeps its counter, which has grown here since. */
  async replace(adoption, tx) {
    const { userId, source } = adoption
    const { found } = await passkeysOf(source)
    const wanted = new Set(found.map(({ credential_id }) => credential_id))
    const mine = await listPasskeysOfUser(tx, userId)
    for (const { id, credential_id } of mine) {
      if (!wanted.has(credential_id)) await removePasskey(tx, userId, id)
    }
    return adopt(adoption, tx, new Map(mine.map((one) => [one.credential_id, one])))
  },
}

const webauthnOf = ({ authenticators }: DjangoUser) =>
  authenticators.filter(({ type }) => type === 'webauthn')

async function adopt(
  { userId, source }: Adoption,
  tx: Tx,
  mine: ReadonlyMap<string, Passkey> = new Map(),
): Promise<Loss[]> {
  const { found, losses } = await passkeysOf(source)
  if (found.length > 0) await addOwnerIfNew(tx, { user_id: userId, handle: handleOf(source) })
  for (const { id, ...passkey } of found) {
    const own = mine.get(passkey.credential_id)
    if (own) {
      await renamePasskey(tx, userId, own.id, passkey.name)
      continue
    }
    // Clients keep the id. It is free, unless a passkey was added here before.
    const isTaken = id === undefined || id > ID_MAX || (await findPasskey(tx, id)) !== undefined
    const row = { ...passkey, ...(!isTaken && { id }), user_id: userId }
    if (await addPasskeyIfNew(tx, row)) continue
    losses.push(lost(source, String(passkey.name), 'somebody here has it already'))
  }
  return losses
}

/** allauth names the user to authenticators as in links, dj-rest-auth by the plain pk. */
function handleOf(source: DjangoUser): string {
  const text = webauthnOf(source).length > 0 ? uidOf(source.pk) : String(source.pk)
  return Buffer.from(text).toString('base64url')
}

async function passkeysOf(source: DjangoUser): Promise<{ found: Found[]; losses: Loss[] }> {
  const found: Found[] = []
  const losses: Loss[] = []
  for (const { id, data, createdAt, lastUsedAt } of webauthnOf(source)) {
    const { name, credential } = isObject(data) ? data : {}
    try {
      const times = { created_at: createdAt ?? 0, last_used_at: lastUsedAt }
      found.push({ id, name: nameIn(name), ...(await columnsIn(credential)), ...times })
    } catch (error) {
      losses.push(lost(source, nameIn(name), error instanceof Error ? error.message : ''))
    }
  }
  const own = await ownPasskeys(source.credentials)
  return {
    found: [...found, ...own.found],
    losses: [...losses, ...own.unreadable.map(({ name, why }) => lost(source, name, why))],
  }
}

/** The library that reads them is large, and the start does not need it. */
async function columnsIn(credential: unknown) {
  const { response, clientExtensionResults } = isObject(credential) ? credential : {}
  if (!isObject(response)) throw new Error('the browser’s answer is missing')
  const { readRegistration } = await import('../../crypto/webauthn/verify-registration.ts')
  const { transports } = isObject(credential) ? credential : {}
  const known = { ...response, transports: response.transports ?? transports }
  return {
    ...columnsOf(readRegistration(response.attestationObject)),
    ...hintsIn({ response: known, clientExtensionResults }),
  }
}

const nameIn = (name: unknown): string =>
  typeof name === 'string' && name !== '' ? name.slice(0, 255) : 'Passkey'

const lost = (source: DjangoUser, name: string, why: string): Loss => ({
  source,
  what: `passkey "${name}"`,
  why,
})
