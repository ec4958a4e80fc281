/** How the console is built. `npm start` runs this when the sources have changed (start/console.ts). */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  // The JSX of Preact, without a plugin.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    emptyOutDir: true,
    // One style sheet: the policy lets no style in that a script puts into the page.
    cssCodeSplit: false,
    // Nothing is inlined as a data: address, which the policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Of what is built in; the package has to name them (tools/build.ts).
    license: { fileName: 'licenses.md' },
  },
})
