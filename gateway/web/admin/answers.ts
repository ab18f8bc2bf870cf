// What the box answers beside its operations' own list: who is signed in.
export interface Session {
  /** `setup`: no user yet. */
  state: 'setup' | 'signed-out' | 'signed-in'
  user: { userId: string; name: string; role: 'technician' | 'manager' } | null
  box: { name: string; language: string; app: string; gatewayId: string; merchantName: string }
  time: string
}
