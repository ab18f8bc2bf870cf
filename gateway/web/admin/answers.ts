// What the box answers beside its operations' own list: who is signed in.
export interface Session {
  /** `setup`: no user yet. */
  state: 'setup' | 'signed-out' | 'signed-in'
  user: { userId: string; name: string; role: 'technician' | 'manager' } | null
  box: { name: string; language: string; app: string; gatewayId: string; merchantName: string }
  time: string
}

export interface RepairAnswer {
  id: string
  severity: 'error' | 'warning' | 'info'
  key: string
  values: Record<string, string | number>
  title: string
  text: string
  since: string | null
  fix: { operation: string; input: Record<string, unknown>; label: string } | null
}
