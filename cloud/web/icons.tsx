// The icons that only the dashboard has: strokes on a square of 24. Decoration: the text beside them has the same meaning.
import { Strokes } from '#shared/ui/icon.tsx'

const PATHS = {
  home: 'M4 11l8-7 8 7M6 10v10h4v-6h4v6h4V10',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  kitchens: 'M7 14a4 4 0 1 1 1-7.900 4.500 4.500 0 0 1 8 0A4 4 0 1 1 17 14v6H7zM7 17h10',
  menu: 'M5 4h14v16H5zM9 9h6M9 13h6M9 17h3',
  calls: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  tryCall: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  receptionistSetup: 'M6 4h4l2 5-3 2a11 11 0 0 0 4 4l2-3 5 2v4a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2z',
  knowledge: 'M4 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H4zM20 5h-6a2 2 0 0 0-2 2v13a2 2 0 0 1 2-2h6z',
  quickStart: 'M13 3L5 14h6l-1 7 8-11h-6z',
  keys: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3',
  webhooks: 'M9 15l6-6M11 6l1-1a4.200 4.200 0 0 1 6 6l-1 1M13 18l-1 1a4.200 4.200 0 0 1-6-6l1-1',
  events: 'M3 12h4l3-8 4 16 3-8h4',
  requests: 'M4 8h13l-3-3M20 16H7l3 3',
  sandbox: 'M9 3h6M10 3v6L5 19a1.500 1.500 0 0 0 1.500 2h11a1.500 1.500 0 0 0 1.500-2L14 9V3M8 15h8',
  usage: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  reliability: 'M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6zM9 12l2 2 4-4',
  people: 'M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 20a6 6 0 0 1 12 0M16 4.500a4 4 0 0 1 0 7M17 14.500a6 6 0 0 1 4 5.500',
  partners: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM16 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 11l2 2',
  audit: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  settings: 'M4 7h8M16 7h4M4 17h4M12 17h8M12 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M8 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  operator: 'M3 21h18M5 21V8l7-5 7 5v13M9 21v-6h6v6',
  fleet: 'M3 4h8v7H3zM13 4h8v7h-8zM3 14h8v7H3zM13 14h8v7h-8z',
  outbox: 'M3 13l3-9h12l3 9v7H3zM3 13h5l2 3h4l2-3h5',
  me: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20a7 7 0 0 1 14 0',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20',
  workbench: 'M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  open: 'M7 10l5 5 5-5',
  check: 'M5 12l5 5 9-10',
} as const
export type CloudIconName = keyof typeof PATHS

export function CloudIcon({ name, size = 20 }: { name: CloudIconName; size?: number }) {
  return <Strokes path={PATHS[name]} size={size} />
}
