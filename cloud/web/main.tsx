// The first thing that the dashboard's page runs.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import '#shared/ui/frame.css'
import '#shared/ui/parts.css'
import './content.css'
import './frame.css'
import './sign-in/door.css'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
