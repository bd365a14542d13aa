import { useEffect, useState } from 'preact/hooks'
import { auth, continueAfter } from '../auth.ts'
import { Page } from '../components/page.tsx'
import { Trouble } from '../components/task.tsx'
import { facts, providerNamed } from '../facts.ts'
import { troubleOf } from '../problem.ts'
import { goTo, Link } from '../router.tsx'
import { proofOf, takeRedirect } from '../social.ts'
import { say } from '../words.ts'

/** Where a provider sends people back to, with a code or with an error. */
export function Callback() {
  const [trouble, setTrouble] = useState('')
  const [isConnecting, setConnecting] = useState(false)
  const title = providerNamed(facts.callback?.provider ?? '')?.title ?? ''
  useEffect(() => {
    finish(title, setConnecting).then(setTrouble, (error) =>
      setTrouble(troubleOf(error, []).general),
    )
  }, [title])
  return (
    <Page title={say('callback.title')}>
      {trouble === '' && <p role="status">{say('callback.text', { provider: title })}</p>}
      <Trouble words={trouble} />
      {trouble !== '' && (
        <Link to={isConnecting ? '' : 'login'} class="button">
          {say(isConnecting ? 'toAccount' : 'toLogin')}
        </Link>
      )}
    </Page>
  )
}

/** Returns what went wrong, or an empty text. */
async function finish(
  title: string,
  setConnecting: (isConnecting: boolean) => void,
): Promise<string> {
  const { provider: name, code, state, error } = facts.callback ?? NOTHING
  // Neither the history nor a reload may repeat the code.
  history.replaceState(null, '', location.pathname)
  const provider = providerNamed(name)
  const redirect = takeRedirect(name, state)
  setConnecting(redirect?.purpose === 'connect')
  // Everything that follows leads there, another login too.
  if (redirect) facts.next = redirect.next
  if (error === 'temporarily_unavailable') return say('callback.down', { provider: title })
  if (!provider || !redirect) return say('callback.foreign')
  if (error !== '' || code === '') return say('callback.refused', { provider: title })

  const proof = proofOf(provider, redirect, code)
  if (redirect.purpose === 'connect') {
    goTo('', { connect: name, proof: JSON.stringify(proof), user: redirect.user })
    return ''
  }
  const { invitation } = redirect
  const answer = await auth.social.login(name, { ...proof, ...(invitation && { invitation }) })
  await continueAfter(answer)
  return ''
}

const NOTHING = { provider: '', code: '', state: '', error: '' }
