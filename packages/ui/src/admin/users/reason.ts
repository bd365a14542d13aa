import { facts } from '../../facts.ts'

/**
 * The name of the reason for the audit in a form with the fields of the deployment. One of these may
 * be called `reason`, and none has a capital letter.
 */
export const REASON = Object.hasOwn(facts.userFields, 'reason') ? 'Reason' : 'reason'
