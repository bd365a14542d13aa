import type { PageFacts, ProviderFacts } from '../../server/src/kernel/page-facts.ts'

/** What the service has written into the page about itself. */
export const facts = JSON.parse(
  document.getElementById('facts')?.textContent ?? 'null',
) as PageFacts

export const hasModule = (name: string): boolean => facts.modules.includes(name)

export const providerNamed = (name: string): ProviderFacts | undefined =>
  facts.providers.find((one) => one.name === name)
