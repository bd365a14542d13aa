/** allauth has two providers for X, one for each version of OAuth. Both use the same ids. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['twitter_oauth2', 'twitter']])

/** The name of one of allauth's providers here. */
export const providerHere = (provider: string): string => OTHER_NAMES.get(provider) ?? provider
