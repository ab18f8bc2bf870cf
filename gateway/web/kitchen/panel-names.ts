// The drawers beside the board, in the order of their buttons.

export const PANELS = ['allDay', 'combine', 'scheduled', 'recall', 'settings', 'help'] as const
export type PanelName = (typeof PANELS)[number]
