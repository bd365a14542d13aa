type UserId = number | string

/** Where people reach this program. */
export const url = `http://localhost:${process.env.PORT ?? 3000}`

async function openApp() {
  // Loaded by Node, not by the bundler, which cannot bundle its native modules.
  const { createAuth, RequestRefused } = await import(/* webpackIgnore: true */ 'latchkey')

  /** What this program does for its users. A real one would use its own tables. */
  const notes = new Map<UserId, string[]>()

  const auth = await createAuth(
    {
      DATABASE_URL: 'sqlite:data/accounts.db',
      PUBLIC_URL: url,
      AUTH_PREFIX: '/api/auth/',
      SITE_NAME: 'Notes',
      // The number of proxies in front of Next that append to X-Forwarded-For. Next itself does not
      // count: it passes on what a client writes there, so a client could invent its address.
      // Without a proxy, all clients share the limits of one address.
      REST_FRAMEWORK: { NUM_PROXIES: Number(process.env.PROXIES ?? 0) },
    },
    {
      hooks: {
        // After the registration has been committed. It may run twice, so it replaces the note.
        registered: ({ user }) => {
          notes.set(user.pk, [`Welcome, ${user.username}!`])
        },
      },
    },
  )
  process.once('SIGTERM', () => auth.close())

  const notesOf = (user: UserId): readonly string[] => notes.get(user) ?? []
  return { auth, RequestRefused, notesOf }
}

/** Next loads this file once for pages and once for routes, and when it builds. */
const shared = globalThis as { notesApp?: ReturnType<typeof openApp> }

/** Opened by the first request, and the same for all of them. */
export function getApp() {
  shared.notesApp ??= openApp().catch((error) => {
    // Otherwise a database that was down for a moment would fail every later request.
    delete shared.notesApp
    throw error
  })
  return shared.notesApp
}

/** The handler of every route below `/api/auth/` and `/account/`. */
export async function answer(request: Request): Promise<Response> {
  const { auth } = await getApp()
  return auth.fetch(request)
}
