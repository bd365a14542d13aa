import { facts } from '../facts.ts'
import { startRedirect } from '../social.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'

export const SocialButtons = () =>
  facts.providers.map((provider) => (
    <Button key={provider.name} onClick={() => startRedirect(provider, 'login')}>
      {say('login.with', { provider: provider.title })}
    </Button>
  ))
