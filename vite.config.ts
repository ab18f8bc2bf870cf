// The box's web pages: two entries (the technician's page, the kitchen display) into dist/web, for the gateway to serve from disk or from inside its executable.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => new URL(path, import.meta.url).pathname

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: at('./gateway/web'),
  // Pages are opened below /admin/ and /kitchen/: a relative address would be looked for there.
  base: '/',
  publicDir: false,
  plugins: [react()],
  resolve: { alias: { '#shared': at('./shared') } },
  build: {
    outDir: at('./dist/web'),
    emptyOutDir: true,
    // Browsers without it fetch a module when it is asked for: the kitchen's page has no byte to give away.
    modulePreload: { polyfill: false },
    // Old tablets hang in kitchens; what the kitchen display needs beyond this it must ask for.
    target: ['chrome70', 'safari13'],
    rolldownOptions: { input: { admin: at('./gateway/web/admin.html'), kitchen: at('./gateway/web/kitchen.html') } },
  },
})
