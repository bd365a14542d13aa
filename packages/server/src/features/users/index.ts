export { fillSkeletons } from './fill-skeletons.ts'
export { AnyUserDetails, userDetails, userEndpoints } from './user-endpoints.ts'
