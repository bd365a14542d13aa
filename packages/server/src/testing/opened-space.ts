import type { Service } from '../compose-service.ts'
import type { TestClock } from './clock.ts'

/** What users and logins need of a space. */
export type OpenedSpace = {
  readonly service: Service
  readonly clock: TestClock
  /** Delivers what is due. */
  settle(): Promise<void>
}
