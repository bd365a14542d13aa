import { SEATS, seatOf, takeSeat } from '../../core/seats.ts'
import { digest } from '../../crypto/digests.ts'
import type { Log } from '../../kernel/log.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Settings } from '../../settings/settings.ts'
import { whyPasskeysCannotWork } from '../../settings/why-passkeys-cannot-work.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Context } from '../feature.ts'
import {
  passChallengesOn,
  putChallenge,
  removeChallenge,
  takeChallenge,
} from './passkeys-queries.ts'

export type Ceremonies = ReturnType<typeof createCeremonies>

/** A visitor logs in or signs up with a passkey, or a user registers one. */
export type Ceremony =
  | { kind: 'login' | 'signup'; id: string }
  | { kind: 'registration'; userId: number }

/** A ceremony that was ended by its answer, and cannot be answered again. */
export type Answered = {
  /** The user whose passkey is needed; null for any user, `NOBODY` for an unknown name. */
  userId: number | null
  /** What was given to `begin`. */
  form: string | null
  /** Whether the browser was to create the passkey without asking the user. */
  isConditional: boolean
  isChallenge(challenge: string): boolean
}

/** An id that no user has. */
export const NOBODY = 0

const CHALLENGE_BYTES = 32
/** The form of a registration without the user. No other form is this word. */
const CONDITIONAL = 'conditional'
/** Lower than `SEATS`, because each of these rows also keeps a form. */
const SIGNUPS_MAX = 20_000

type Needs = Pick<Context, 'db' | 'clock'> & { lifetimeMs: number; loginsMax?: number }

/** The open ceremonies. Of their challenges and ids only digests are stored. */
export function createCeremonies({ db, clock, lifetimeMs, loginsMax = SEATS }: Needs) {
  const rowOf = (
    ceremony: Ceremony,
    challenge: string,
    userId: number | null,
    form: string | null,
  ) => ({
    key: keyOf(ceremony),
    digest: `${prefixOf(ceremony)}${digest(challenge)}`,
    user_id: userId,
    expires_at: clock.now() + lifetimeMs,
    form,
  })

  return {
    /** Returns the challenge. It replaces an older one of the user, whose row the caller holds. */
    async beginRegistration(userId: number, isConditional: boolean, tx: Tx): Promise<string> {
      const challenge = randomToken(CHALLENGE_BYTES)
      // Null replaces the form of the older one.
      const form = isConditional ? CONDITIONAL : null
      const row = rowOf({ kind: 'registration', userId }, challenge, userId, form)
      await putChallenge(tx, row, Number.MAX_SAFE_INTEGER)
      return challenge
    },

    /** Returns the challenge and the id of the ceremony. Keeps the form until the answer comes. */
    async begin(kind: 'login' | 'signup', userId: number | null, form: string | null) {
      const challenge = randomToken(CHALLENGE_BYTES)
      const id = await takeSeat(clock.now(), (id, until) =>
        putChallenge(db, rowOf({ kind, id }, challenge, userId, form), until),
      )
      return { challenge, id }
    },

    /** Returns null if it has expired, was answered already, or never existed. */
    async answer(ceremony: Ceremony): Promise<Answered | null> {
      const prefix = prefixOf(ceremony)
      const taken = await takeChallenge(db, keyOf(ceremony), prefix)
      if (!taken || taken.expires_at <= clock.now()) return null
      return {
        userId: taken.user_id,
        form: taken.form,
        isConditional: taken.form === CONDITIONAL,
        isChallenge: (challenge) => `${prefix}${digest(challenge)}` === taken.digest,
      }
    },

    /**
     * A login with the name of a deleted user continues as with an unknown name. Otherwise its end
     * would tell that the user existed.
     */
    async forgetUser(userId: number, tx: Tx): Promise<void> {
      await removeChallenge(tx, keyOf({ kind: 'registration', userId }))
      await passChallengesOn(tx, userId, NOBODY)
    },
  }

  function keyOf(ceremony: Ceremony): string {
    if (ceremony.kind === 'registration') return `register:${ceremony.userId}`
    const { kind, id } = ceremony
    return `${kind}:${seatOf(id, kind === 'login' ? loginsMax : SIGNUPS_MAX)}`
  }
}

/** Contains the digest of the id, since a seat can be guessed. */
const prefixOf = (ceremony: Ceremony): string =>
  ceremony.kind === 'registration' ? '' : `${digest(ceremony.id)}.`

const REASON_MAX = 200

/** Logs why a ceremony failed. The client learns only that it failed. */
export function logRefusal(log: Log, ceremony: 'registration' | 'login', reason: unknown): void {
  const text = reason instanceof Error ? reason.message : String(reason)
  // The reason may quote input of the client, so its length is bounded.
  log.info({ ceremony, reason: text.slice(0, REASON_MAX) }, 'passkey refused')
}

export type RelyingParty = ReturnType<typeof createRelyingParty>

/** How authenticators see this service. */
export function createRelyingParty(settings: Pick<Settings, 'REST_AUTH' | 'PUBLIC_URL'>) {
  const { REST_AUTH } = settings
  const isUsable = whyPasskeysCannotWork(settings) === null
  return {
    rpId: REST_AUTH.PASSKEY_RP_ID,
    name: REST_AUTH.PASSKEY_RP_NAME,
    origins: REST_AUTH.PASSKEY_RP_ORIGINS,
    userVerification: REST_AUTH.PASSKEY_USER_VERIFICATION,
    requireUserVerification: REST_AUTH.PASSKEY_USER_VERIFICATION === 'required',
    timeoutMs: REST_AUTH.PASSKEY_CHALLENGE_TIMEOUT,

    mustBeUsable(): void {
      if (!isUsable) throw problem('passkeys_not_configured')
    },
  }
}
