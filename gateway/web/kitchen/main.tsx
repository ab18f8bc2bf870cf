// The first thing that the kitchen page runs.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (root) createRoot(root).render(<StrictMode>Ticketrail</StrictMode>)
