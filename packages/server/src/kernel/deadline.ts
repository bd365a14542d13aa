const tooLate = () => new Error('It took too long.')

/** The result of the work, or a failure once the time is up; what comes after that is ignored. */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  failure: () => Error = tooLate,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure()), ms)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
