import { nameKey } from '../../kernel/names.ts'
import type { User } from '../../storage/schema.ts'

/** The name with which a visitor claims to be a user. All its spellings have one key. */
export type Identifier = {
  key: string
  /** For a login that cannot try two users. */
  find(): Promise<User | undefined>
  /** The user and, if their address is the username of somebody else, that one. */
  findBoth(): Promise<Found>
}

type Found = readonly [User | undefined, namesake?: User]

type Finders = {
  findByEmail(email: string): Promise<User | undefined>
  findByUsername(username: string): Promise<User | undefined>
}

export function createIdentifiers(
  methods: readonly string[],
  { findByEmail, findByUsername }: Finders,
) {
  const byEmail = methods.includes('email')
  const byUsername = methods.includes('username')

  return {
    /** What a login has to name. Codes of problems begin with it. */
    neededName: !byUsername ? 'email' : byEmail ? 'identifier' : 'username',

    /** Chooses the username or the address, by `LOGIN_METHODS`; null if neither was given. */
    identifierOf({ username, email }: { username: string; email: string }): Identifier | null {
      if (byEmail && email) return identifier(email, async () => [await findByEmail(email)])
      if (!byUsername || !username) return null
      if (byEmail) return identifier(username, () => findByEither(username))
      return identifier(username, async () => [await findByUsername(username)])
    },
  } as const

  /**
   * An address wins over a username that looks like one. Otherwise a user could take over the login
   * of another by choosing their address as a username. Both are always looked up, so that the time
   * does not tell whether the first was found.
   */
  async function findByEither(name: string): Promise<Found> {
    const owner = nameKey(name).includes('@') ? await findByEmail(name) : undefined
    const namesake = await findByUsername(name)
    const areTwo = owner && namesake && owner.id !== namesake.id
    return areTwo ? [owner, namesake] : [owner ?? namesake]
  }
}

function identifier(name: string, findBoth: () => Promise<Found>): Identifier {
  const key = nameKey(name)
  return {
    key,
    findBoth,

    /** Strangers can register any address, so one that nobody has proved gives way to a username. */
    async find() {
      const [owner, namesake] = await findBoth()
      return owner && hasProved(owner, key) ? owner : (namesake ?? owner)
    },
  }
}

/** The further addresses by which a user is found are all proved. */
export const hasProved = ({ email, email_verified }: User, key: string): boolean =>
  email_verified === 1 || nameKey(email) !== key
