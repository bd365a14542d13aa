import type { FastifyInstance } from 'fastify'
import { composeService, type Service } from '../../compose-service.ts'
import type { Team } from '../../core/team.ts'
import { buildAdminApp, buildApp } from '../../server/build-app.ts'
import { createLogger } from '../../server/logger.ts'
import type { KeyedSettings } from '../../settings/secret-key.ts'

type How = {
  /** False if another process of the team has done it. */
  readonly migrates: boolean
  readonly team?: Team
}

export type Built = {
  service: Service
  app: FastifyInstance
  /** Null if the admin API has no listener of its own. */
  admin: FastifyInstance | null
  hasUsers: boolean
}

/** Builds the service as a server of its own. A failed start leaves no connection open. */
export async function buildServer(
  settings: KeyedSettings,
  { migrates, team }: How,
): Promise<Built> {
  const log = createLogger(settings)
  const service = composeService(settings, { log, ...(team && { team }) })
  try {
    if (migrates) await service.migrate()
    const users = await service.services.administration.list(0, 1)
    const app = await buildApp(service)
    const admin = await buildAdminApp(service)
    return { service, app, admin, hasUsers: users.length > 0 }
  } catch (error) {
    await service.close()
    throw error
  }
}
