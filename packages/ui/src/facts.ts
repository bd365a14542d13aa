import type { PageFacts, ProviderFacts } from '../../server/src/kernel/page-facts.ts'

/** What the service has written into a page about itself. */
export const factsIn = (page: Document): PageFacts =>
  JSON.parse(page.getElementById('facts')?.textContent ?? 'null')

export const facts = factsIn(document)

export const hasModule = (name: string): boolean => facts.modules.includes(name)

/** The providers that the pages can send people to. */
export const redirecting: readonly ProviderFacts[] = facts.providers.filter(
  ({ hasRedirect }) => hasRedirect,
)

export const providerNamed = (name: string): ProviderFacts | undefined =>
  facts.providers.find((one) => one.name === name)
