import { auth } from '../auth.ts'
import { useTask } from '../components/task.tsx'
import { facts } from '../facts.ts'

/** Ends the login of the operator, and begins again at the first page. */
export function useSignOut() {
  const { isBusy, trouble, run } = useTask()
  const signOut = () => run(() => auth.logout().then(() => location.assign(facts.pages)))
  return { isBusy, trouble, signOut }
}
