import { Link } from '../router.tsx'
import { say } from '../words.ts'

/** The way to the login, at the end of a page. */
export const ToLogin = ({ words = 'toLogin' }: { words?: 'toLogin' | 'back' }) => (
  <p class="foot">
    <Link to="login">{say(words)}</Link>
  </p>
)
