export { userDetails, userEndpoints } from './user-endpoints.ts'
