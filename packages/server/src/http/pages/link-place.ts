/** Where the page behind a link of a mail is. There are two: a hosted page, and one below the API. */
export type LinkPlace = {
  path: string
  operationIds: { show: string; submit: string }
  /** Whether scripts get a page, too, instead of JSON. Such a page is no part of the API. */
  isHosted: boolean
}
