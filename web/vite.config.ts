import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues, macroPreset } from './catalogues.ts'
import { chunkParts } from './chunk-parts.ts'

/** Where `npm run dev:web` finds the service; start it with PERIGEE_PUBLIC_URL=http://localhost:5173. */
const service = 'http://127.0.0.1:3000'

export default defineConfig(({ command }) => ({
  base: command === 'build' ? '/console/' : '/',
  plugins: [react(), babel({ presets: [macroPreset] }), catalogues(), tailwindcss(), chunkParts()],
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Nothing inline: the Content-Security-Policy takes no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // From it the service knows which files a page takes.
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        // Sixty small files compress worse than three and are asked for one by one: what every page needs is one file,
        // what the frame around the pages adds another, and what the overview and a monitor's page share a third.
        codeSplitting: {
          groups: [
            { name: 'console', tags: ['$initial'], priority: 1 },
            {
              name: 'frame',
              test: /web\/src\/(?:shell\/shell|parts\/(?:time|list|status)|session\/live)\.tsx?$/,
            },
            {
              name: 'watching',
              test: /web\/src\/(?:parts\/(?:bars|maintenance)|pages\/incidents\/running-incidents|session\/use-monitors)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': service, '/auth': service, '/console': service } },
}))
