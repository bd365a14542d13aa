import { Type } from '@sinclair/typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { problem } from '../../kernel/problems.ts'
import type { BuiltFiles } from './built-files.ts'

const File = Type.Unsafe<Buffer>({ type: 'string' })
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The scripts and the style. Their names change with their content, so browsers may keep them. */
export const assetsEndpoint = (files: () => Promise<BuiltFiles>): Endpoint =>
  endpoint({
    method: 'GET',
    path: 'assets/:name',
    operationId: 'showAsset',
    summary: 'A script or the style of the pages',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: File },
    async handle({ params, request, reply }) {
      const asset = (await files()).assets.get(params.name ?? '')
      if (!asset) throw problem('not_found')
      const isSmaller = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      reply.type(asset.type).headers({ 'cache-control': FOR_EVER, vary: 'Accept-Encoding' })
      if (isSmaller) reply.header('content-encoding', 'gzip')
      return isSmaller ? asset.gzipped : asset.plain
    },
  })
