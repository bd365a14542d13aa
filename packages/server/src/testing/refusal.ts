/** A request to the test service that cannot be met. Its words help the author of the test. */
export class TestRefusal extends Error {
  readonly status: number

  constructor(words: string, status = 400) {
    super(words)
    this.status = status
  }
}
