// Builds the dashboard's page into dist/cloud-web, for the relay to serve below /dashboard/. Apart from the box's pages: the gateway's executable carries none of it.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contents, packed } from './scripts/web-build/plugins.ts'

const at = (path: string): string => new URL(path, import.meta.url).pathname
/** Browsers of the last three years: Mantine's styles need them anyway. */
const BROWSERS = ['chrome111', 'safari16.4', 'firefox128']

export default defineConfig({
  root: at('./cloud/web'),
  base: '/dashboard/',
  publicDir: false,
  plugins: [react(), contents('dist/cloud-web-contents'), packed],
  resolve: { alias: { '#shared': at('./shared'), '#cloud': at('./cloud') } },
  build: {
    outDir: at('./dist/cloud-web'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: BROWSERS,
    cssTarget: BROWSERS,
    rolldownOptions: { input: { dashboard: at('./cloud/web/dashboard.html') } },
  },
})
