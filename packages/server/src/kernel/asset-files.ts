import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

type Asset = { type: string; plain: Buffer; gzipped: Buffer }

/** Scripts and styles by name. The names contain a digest of the content. */
export type Assets = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const compress = promisify(gzip)

/** Reads all files of a folder. They are few and small, so they stay in memory. */
export async function readAssets(folder: URL): Promise<Assets> {
  const names = await readdir(folder)
  return new Map(await Promise.all(names.map((name) => readAsset(folder, name))))
}

async function readAsset(folder: URL, name: string): Promise<[string, Asset]> {
  const plain = await readFile(new URL(name, folder))
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  return [name, { type, plain, gzipped: await compress(plain) }]
}
