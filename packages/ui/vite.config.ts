import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/**
 * Replaces Vite's loader of later parts, which loads their styles and modules ahead. Ours have neither,
 * and the loader is as large as a page.
 */
const PLAIN_IMPORTS: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null,
}

/**
 * Two builds: the hosted pages, and the pages for operators (`--mode admin`). They share no file, so
 * neither makes the other larger. The service writes the HTML itself; it finds the files by the
 * manifest.
 */
export default defineConfig(({ mode }) => {
  const isAdmin = mode === 'admin'
  return {
    // Files find each other wherever `PAGES_PREFIX` puts them.
    base: './',
    publicDir: false,
    plugins: [PLAIN_IMPORTS],
    resolve: {
      alias: {
        'latchkey-client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)),
      },
    },
    build: {
      outDir: isAdmin ? 'dist/admin' : 'dist',
      emptyOutDir: true,
      manifest: 'manifest.json',
      license: { fileName: 'licences.md' },
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: isAdmin ? 'src/admin/main.tsx' : 'src/main.tsx' },
    },
  }
})
