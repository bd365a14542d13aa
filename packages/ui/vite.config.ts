import { defineConfig } from 'vite'

/** The service writes the HTML itself; it finds the files by the manifest. */
export default defineConfig({
  // Files find each other wherever `PAGES_PREFIX` puts them.
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.json',
    license: { fileName: 'licences.md' },
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'src/main.tsx' },
  },
})
