import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

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
      modulePreload: { polyfill: false },
      rolldownOptions: { input: isAdmin ? 'src/admin/main.tsx' : 'src/main.tsx' },
    },
  }
})
