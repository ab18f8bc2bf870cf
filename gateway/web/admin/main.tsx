// The first thing that the admin page runs.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import '#shared/ui/frame.css'
import '#shared/ui/parts.css'
import './admin.css'
import './health.css'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
