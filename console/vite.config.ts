import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { contract } from './contract-plugin.ts'
import { FILE_GROUPS } from './first-files.ts'
import { flags } from './flags-plugin.ts'
import { world } from './world-plugin.ts'

/** The gallery of components is a page of development; only a build of this mode contains it. */
const GALLERY = 'gallery'

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [contract(), solid(), flags(), world()],
  resolve: {
    alias: {
      '@contract': fileURLToPath(new URL('../src/contract/gen', import.meta.url)),
      '@domain': fileURLToPath(new URL('../src/domain', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    // The first browsers that know `light-dark()`, so that it stays as it is written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy allows no script and no style in the page itself, and no font or image from a string.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      ...(mode === GALLERY && { input: fileURLToPath(new URL('gallery.html', import.meta.url)) }),
      // A build of the gallery has other pages.
      ...(mode !== GALLERY && { output: { codeSplitting: { groups: FILE_GROUPS } } }),
    },
  },
}))
