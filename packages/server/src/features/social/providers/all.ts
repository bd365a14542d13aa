import { apple } from './apple.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { linkedin } from './linkedin.ts'
import { microsoft } from './microsoft.ts'
import { openidConnect } from './openid-connect.ts'
import type { Provider } from './provider.ts'
import { slack } from './slack.ts'
import { spotify } from './spotify.ts'
import { twitch } from './twitch.ts'
import { twitter } from './twitter.ts'

/** A new provider is one file, and one line here. */
export const providers: readonly Provider[] = [
  apple,
  discord,
  facebook,
  github,
  gitlab,
  google,
  linkedin,
  microsoft,
  openidConnect,
  slack,
  spotify,
  twitch,
  twitter,
]
