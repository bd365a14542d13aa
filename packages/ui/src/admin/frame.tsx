import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Trouble } from '../components/task.tsx'
import { useTitle } from '../components/use-title.ts'
import { facts } from '../facts.ts'
import { Link, placeNow } from '../router.tsx'
import { useOperator } from './operator.ts'
import { useSignOut } from './use-sign-out.ts'
import { type Key, say } from './words.ts'

const PLACES = {
  '': 'nav.users',
  invitations: 'nav.invitations',
  audit: 'nav.audit',
  mail: 'nav.mail',
  keys: 'nav.keys',
  findings: 'nav.findings',
  figures: 'nav.figures',
} as const satisfies Readonly<Record<string, Key>>

type Props = {
  title: string
  children: ComponentChildren
  beside?: ComponentChildren
  /** What stands below the title. */
  below?: ComponentChildren
}

/** The frame of every page for operators. */
export function Frame({ title, children, beside, below }: Props) {
  const heading = useTitle(title, { preventScroll: true })
  return (
    <>
      <a class="skip" href="#content">
        {say('nav.skip')}
      </a>
      <Bar />
      <main id="content" class="wide desk">
        <div class="heading">
          <div>
            <h1 ref={heading} tabIndex={-1}>
              <bdi>{title}</bdi>
            </h1>
            {below}
          </div>
          {beside}
        </div>
        {children}
      </main>
    </>
  )
}

function Bar() {
  const operator = useOperator()
  const { isBusy, trouble, signOut } = useSignOut()
  const [here = ''] = placeNow().split('/')
  const place = here === 'users' ? '' : here
  const nav = useRef<HTMLElement>(null)
  // On a phone the links are wider than the screen.
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place])
  return (
    <header class="bar">
      <div class="brand">
        <Link to="">{facts.site}</Link>
      </div>
      <nav ref={nav} aria-label={say('nav.label')}>
        {Object.entries(PLACES)
          .filter(([to]) => to !== 'keys' || operator.is_superuser)
          .filter(([to]) => to !== 'invitations' || facts.signup === 'invited')
          .map(([to, words]) => (
            <Link key={to} to={to} aria-current={to === place ? 'page' : undefined}>
              {say(words)}
            </Link>
          ))}
      </nav>
      <div class="me">
        <Link to={`users/${operator.pk}`}>
          <bdi>{operator.username}</bdi>
        </Link>
        <Button kind="quiet" busy={isBusy} onClick={signOut}>
          {say('account.signOut')}
        </Button>
      </div>
      <Trouble words={trouble} />
    </header>
  )
}
