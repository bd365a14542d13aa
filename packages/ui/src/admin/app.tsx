import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AskAgain } from '../account/ask-again.tsx'
import { auth } from '../auth.ts'
import { Page } from '../components/page.tsx'
import { Trouble } from '../components/task.tsx'
import { isSignedOut, troubleOf } from '../problem.ts'
import { usePlace } from '../router.tsx'
import { get, onEnded } from './api.ts'
import { Audit } from './audit.tsx'
import { FiguresPage } from './figures.tsx'
import { Findings } from './findings.tsx'
import { Invitations } from './invitations.tsx'
import { KeysPage } from './keys.tsx'
import { Mail } from './mail.tsx'
import { OperatorProvider, type Session } from './operator.ts'
import { SetUp } from './set-up.tsx'
import { SignIn } from './sign-in.tsx'
import { FindUsers } from './users/find.tsx'
import { NewUser } from './users/new.tsx'
import { UserPage } from './users/user.tsx'
import { say } from './words.ts'

type Known = { session: Session | null; trouble: string }

/** Asks who is signed in. Those who are not sign in where they are, and go on there. */
export function App() {
  const [known, setKnown] = useState<Known | null>(null)
  const look = () => {
    get<Session>('session/').then(
      (session) => setKnown({ session, trouble: '' }),
      (error) => {
        const trouble = isSignedOut(error) ? '' : troubleOf(error, []).general
        setKnown({ session: null, trouble })
      },
    )
  }
  useEffect(() => {
    look()
    return onEnded(() => setKnown({ session: null, trouble: '' }))
  }, [])
  // After a login or logout, here or in another tab, the cookie may be of another operator.
  useEffect(() => auth.onChange(look), [])

  if (!known) return null
  if (known.trouble) {
    return (
      <Page title={say('signIn.title')}>
        <Trouble words={known.trouble} />
      </Page>
    )
  }
  const { session } = known
  if (!session) return <SignIn />
  if (session.mfa_setup_required) return <SetUp onDone={look} />
  return (
    <OperatorProvider key={session.user.pk} value={session.user}>
      <Place />
      <AskAgain takesPassword={false} username={session.user.username} />
    </OperatorProvider>
  )
}

const PLACES: Readonly<Record<string, () => JSX.Element>> = {
  '': FindUsers,
  'users/new': NewUser,
  invitations: Invitations,
  audit: Audit,
  mail: Mail,
  keys: KeysPage,
  findings: Findings,
  figures: FiguresPage,
}

function Place() {
  const place = usePlace()
  const [, pk] = /^users\/([\w-]+)$/.exec(place) ?? []
  if (pk && pk !== 'new') return <UserPage key={pk} pk={pk} />
  const Shown = PLACES[place] ?? FindUsers
  return <Shown key={place} />
}
