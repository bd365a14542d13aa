import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { redirecting } from '../facts.ts'
import { startRedirect } from '../social.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Or } from './or.tsx'
import { Trouble } from './task.tsx'

/** Ways in besides the form above: those given, and a button for each provider. */
export function OtherWays({ children }: { children?: ComponentChildren }) {
  const [trouble, setTrouble] = useState('')
  if (!children && redirecting.length === 0) return null
  return (
    <>
      <Or />
      <Trouble words={trouble} />
      <div class="stack choices">
        {children}
        {redirecting.map((provider) => (
          <Button
            key={provider.name}
            onClick={() => startRedirect(provider, 'login').then(setTrouble)}
          >
            {say('login.with', { provider: provider.title })}
          </Button>
        ))}
      </div>
    </>
  )
}
