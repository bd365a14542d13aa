import { tagged } from '../../http/endpoint.ts'
import { feature } from '../feature.ts'
import { introspectEndpoint } from './introspect-endpoint.ts'

/** For other services: whose credential they were sent. It is off without a key for them. */
export const introspectionFeature = feature('introspection', ({ settings, everyFeature }) => {
  const { INTROSPECTION_KEY: key } = settings
  const endpoints = key === null ? [] : [introspectEndpoint({ key, everyFeature, settings })]
  return { endpoints: tagged('Tokens', endpoints) }
})
