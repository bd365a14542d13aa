/** Mutants that no test can notice, since they change nothing, and why. */
export const explained = []
