import type { SignedIn } from 'latchkey-client'
import { useEffect, useRef } from 'preact/hooks'
import { auth } from '../auth.ts'
import { offerPasskeys } from '../passkeys.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Or } from './or.tsx'
import { Trouble, useTask } from './task.tsx'

type Props = {
  onSignedIn(answer: SignedIn): unknown
  /** Shows what it throws. Without it, every error is shown. */
  onRefused?(error: unknown): void
}

/** A button, and an offer among the names that the browser proposes in the field below. */
export function PasskeyLogin({ onSignedIn, onRefused }: Props) {
  const { isBusy, trouble, run } = useTask()
  const tried = useRef('')
  const enter = (signIn: () => Promise<SignedIn>) =>
    run(() => signIn().then(onSignedIn).catch(onRefused))
  useEffect(() => offerPasskeys((proof) => enter(() => auth.passkeys.completeLogin(proof))), [])
  if (!auth.passkeys.isSupported()) return null

  /**
   * What is typed in the field below, which is the first of the page. A security key that stores no
   * passkeys works only if the service knows the name. The name may be wrong, half typed or filled in
   * by the browser: pressed again, the button asks for any passkey.
   */
  function nameToTry() {
    const { name, value } = document.querySelector('input') as HTMLInputElement
    tried.current = tried.current === value ? '' : value
    return { [name]: tried.current }
  }
  return (
    <>
      <Trouble words={trouble} />
      <Button busy={isBusy} onClick={() => enter(() => auth.passkeys.login(nameToTry()))}>
        {say('login.passkey')}
      </Button>
      <Or />
    </>
  )
}
