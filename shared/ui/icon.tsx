// Icons of the pages: one stroke path each, on a 24-unit square. They are decoration: their meaning is also in text beside them.

const PATHS = {
  box: 'M12 3l8 4.5v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9',
  care: 'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  displays: 'M3 4h18v12H3zM8 20h8M12 16v4',
  forward: 'M9 6l6 6-6 6',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3',
  link: 'M9 15l6-6M11 6l1-1a4.2 4.2 0 0 1 6 6l-1 1M13 18l-1 1a4.2 4.2 0 0 1-6-6l1-1',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  logs: 'M5 4h14v16H5zM9 9h6M9 13h6M9 17h3',
  menu: 'M3 6h18M3 12h18M3 18h18',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  overview: 'M4 18a9 9 0 1 1 16 0M12 15l4-5',
  printers: 'M7 8V3h10v5M7 17H4v-7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v7h-3M7 14h10v7H7z',
  repairs: 'M15 4a5 5 0 0 0-6 6.500L3.5 16a2.1 2.1 0 1 0 3 3l5.5-5.500A5 5 0 0 0 20 9l-3 2-3-1-.5-3z',
  report: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  routing: 'M4 12h5l5-6h6M9 12l5 6h6M17 3l3 3-3 3M17 15l3 3-3 3',
  settings: 'M4 7h8M16 7h4M4 17h4M12 17h8M12 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M8 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  users: 'M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 20a6 6 0 0 1 12 0M16 4.500a4 4 0 0 1 0 7M17 14.500a6 6 0 0 1 4 5.5',
} as const
export type IconName = keyof typeof PATHS

/** Icons with a direction, which are mirrored in right-to-left languages. */
const POINTING: ReadonlySet<IconName> = new Set(['forward', 'routing'])

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <Strokes path={PATHS[name]} size={size} className={POINTING.has(name) ? 'icon pointing' : 'icon'} />
}

/** An icon that only one page uses. @param path strokes on a 24-unit square */
export function Strokes({ path, size = 20, className = 'icon' }: { path: string; size?: number; className?: string }) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
