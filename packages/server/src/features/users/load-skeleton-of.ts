/** The table of similar letters is long, and nothing needs it to start. */
export const loadSkeletonOf = async () => (await import('../../kernel/skeleton.ts')).skeletonOf
