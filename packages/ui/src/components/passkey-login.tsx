import type { SignedIn } from 'latchkey-client'
import { useEffect } from 'preact/hooks'
import { auth } from '../auth.ts'
import { offerPasskeys } from '../passkeys.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Or } from './or.tsx'
import { Trouble, useTask } from './task.tsx'

type Props = {
  onSignedIn(answer: SignedIn): unknown
  /** What it throws is shown. */
  onRefused?(error: unknown): void
}

/** A button, and an offer among the names that the browser proposes in the field below. */
export function PasskeyLogin({ onSignedIn, onRefused = rethrow }: Props) {
  const { isBusy, trouble, run } = useTask()
  const enter = (signIn: () => Promise<SignedIn>) =>
    run(() => signIn().then(onSignedIn).catch(onRefused))
  useEffect(() => offerPasskeys((proof) => enter(() => auth.passkeys.completeLogin(proof))), [])
  if (!auth.passkeys.isSupported()) return null
  return (
    <>
      <Trouble words={trouble} />
      <Button busy={isBusy} onClick={() => enter(() => auth.passkeys.login(typedName()))}>
        {say('login.passkey')}
      </Button>
      <Or />
    </>
  )
}

/**
 * What is typed in the field below, which is the first of the page. A security key that stores no
 * passkeys works only if the service knows the name.
 */
function typedName() {
  const { name, value } = document.querySelector('input') as HTMLInputElement
  return { [name]: value }
}

function rethrow(error: unknown): never {
  throw error
}
