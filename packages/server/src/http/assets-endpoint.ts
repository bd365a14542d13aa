import * as Type from '@sinclair/typebox'
import type { Assets } from '../kernel/asset-files.ts'
import { problem } from '../kernel/problems.ts'
import { addVary } from './answer-headers.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { acceptsGzip } from './request.ts'

const File = Type.Unsafe<Buffer>({ type: 'string' })
const FOR_EVER = 'public, max-age=31536000, immutable'

type Served = { path: string; operationId: string; assets: () => Promise<Assets> }

/** Scripts and styles. Their names change with their content, so browsers may cache them. */
export const assetsEndpoint = ({ path, operationId, assets }: Served): Endpoint =>
  endpoint({
    method: 'GET',
    path: `${path}:name`,
    operationId,
    summary: 'A script or a style of our own pages',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: File },
    async handle({ params, request, reply }) {
      const asset = (await assets()).get(params.name ?? '')
      if (!asset) throw problem('not_found')
      reply.type(asset.type).header('cache-control', FOR_EVER)
      addVary(reply, 'Accept-Encoding')
      if (!acceptsGzip(request)) return asset.plain
      reply.header('content-encoding', 'gzip')
      return asset.gzipped
    },
  })
