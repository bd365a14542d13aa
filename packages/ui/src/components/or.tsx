import { say } from '../words.ts'

export const Or = () => <p class="or">{say('or')}</p>
