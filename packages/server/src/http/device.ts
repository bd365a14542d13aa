import type { FastifyRequest } from 'fastify'
import type { Device } from '../core/device.ts'
import { plainLine } from '../kernel/visible.ts'
import type { Settings } from '../settings/settings.ts'
import { clientAddress } from './client-address.ts'

const USER_AGENT_MAX = 200

export const createDeviceOf =
  ({ REST_FRAMEWORK: { NUM_PROXIES } }: Pick<Settings, 'REST_FRAMEWORK'>) =>
  (request: FastifyRequest): Device => ({
    address: clientAddress(request, NUM_PROXIES),
    userAgent: plainLine(request.headers['user-agent'] ?? '', USER_AGENT_MAX),
  })
