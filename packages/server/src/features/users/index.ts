export { AnyUserDetails, userDetails, userEndpoints } from './user-endpoints.ts'
