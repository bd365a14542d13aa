import type { ComponentChildren } from 'preact'
import { facts } from '../facts.ts'
import { startRedirect } from '../social.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Or } from './or.tsx'

/** Ways in besides the form above: those given, and a button for each provider. */
export function OtherWays({ children }: { children?: ComponentChildren }) {
  if (!children && facts.providers.length === 0) return null
  return (
    <>
      <Or />
      <div class="stack choices">
        {children}
        {facts.providers.map((provider) => (
          <Button key={provider.name} onClick={() => startRedirect(provider, 'login')}>
            {say('login.with', { provider: provider.title })}
          </Button>
        ))}
      </div>
    </>
  )
}
